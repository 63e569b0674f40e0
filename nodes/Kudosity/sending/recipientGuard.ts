import { guards } from '../fields/sendOptions';
import { listNotGuarded, notAllowed } from './guardTexts';
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
