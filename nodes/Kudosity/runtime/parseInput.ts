import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { InputError } from '../api/errors';

/** The name that the user sees for the field at `path`, e.g. `Options > Message Reference`. */
const shownName = (properties: INodeProperties[], path: PropertyKey[]): string => {
	const property = properties.find(({ name }) => name === path[0]);
	if (!property) return path.map(String).join('.');
	const nested = (property.options ?? []).filter((option) => 'displayName' in option);
	const inner = nested.find(({ name }) => name === path[1]);
	return inner ? `${property.displayName} > ${inner.displayName}` : property.displayName;
};

/**
 * The values of an operation's fields, checked and converted.
 *
 * @throws InputError names the first field that cannot be right, what is wrong and how to fix it
 */
export const parseInput = <Input extends z.ZodObject>(
	{ input, properties }: { input: Input; properties: INodeProperties[] },
	values: Record<string, unknown>,
): z.output<Input> => {
	const result = input.safeParse(values);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const name = shownName(properties, issue?.path ?? []);
	if (issue?.code === 'custom') {
		throw new InputError(`'${name}' ${issue.message}`, String(issue.params?.remedy ?? ''));
	}
	throw new InputError(
		`'${name}' is not valid: ${issue?.message}`,
		'Choose a value that the field offers, or check what the expression delivers',
	);
};
