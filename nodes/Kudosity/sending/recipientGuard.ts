import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../api/json';
import { sendOptionsOf } from '../fields/generalOptions';
import { guards, protections } from '../fields/sendOptions';
import { guardIsEmpty, listNotGuarded, notAllowed } from './guardTexts';
import type { Message } from './message';

/**
 * Whether the numbers of an item may be written to. One that may not holds all of its item back.
 *
 * @throws InputError somebody may not, or nobody can tell, as it goes to a contact list
 */
export const checkRecipients = ({ to, options }: Message): void => {
	const guard = guards.find(({ property }) => options[property.name] !== undefined);
	if (guard === undefined) return;
	if (!('numbers' in to)) throw listNotGuarded(guard.property.displayName);
	const { allowedRecipients: allows } = options;
	const refused = allows ? to.numbers.filter((number) => !allows(number)) : [];
	if (refused.length > 0) throw notAllowed(refused);
};

/**
 * Checks that the protections that a node has are there for each item: one whose expression delivers nothing
 * would let everything pass.
 */
export const createGuardCheck = (context: Pick<IExecuteFunctions, 'getNode'>) => {
	const { options: written } = context.getNode().parameters;
	const given = typeof written === 'object' && written !== null ? Object.keys(written) : [];
	const wanted = protections.filter(({ property }) => given.includes(property.name));
	return (input: Json): void => {
		const options = sendOptionsOf(input);
		const empty = wanted.find(({ property }) => options[property.name] === undefined);
		if (empty) throw guardIsEmpty(empty.property.displayName);
	};
};
