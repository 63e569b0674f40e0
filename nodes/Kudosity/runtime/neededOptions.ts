import type { IExecuteFunctions } from 'n8n-workflow';
import { isJson } from '../api/json';
import { InputError } from '../api/errors';
import type { Input } from '../fields/field';
import type { Operation } from './operation';

/**
 * Checks that the options that a node has are there for each item, as far as one whose expression delivers nothing
 * would mean something else: a guard would let everything pass, a message would go out at once.
 */
export const createOptionCheck = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	{ fields }: Pick<Operation, 'fields'>,
) => {
	const { options: written } = context.getNode().parameters;
	const given = typeof written === 'object' && written !== null ? Object.keys(written) : [];
	const known = fields.find(({ property }) => property.name === 'options')?.fields ?? [];
	const wanted = known.filter(
		({ property, needsValue }) => needsValue && given.includes(property.name),
	);
	return ({ options: read }: Input): void => {
		const values = isJson(read) ? read : {};
		const empty = wanted.find(({ property }) => values[property.name] === undefined);
		if (!empty) return;
		throw new InputError(
			`'Options > ${empty.property.displayName}' is empty`,
			'Enter a value, check what the expression delivers, or remove the option',
		);
	};
};
