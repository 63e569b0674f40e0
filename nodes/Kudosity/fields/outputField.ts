import { unsafeKeys } from '../lib/json';
import { type Field, refuse, textField } from './field';
import { atMostLong, optional } from './readers';

function readPath(text: string): string[] {
	const path = atMostLong(100)(text)
		.split('.')
		.map((name) => name.trim());
	return path.some((name) => name === '' || unsafeKeys.includes(name))
		? refuse(
				'is not a field name',
				'Use a name such as result, or contact.result for a nested field',
			)
		: path;
}

/** The name of the field that each item's result is written to. Dots make it a path. */
export function outputField(name: string): Field<'outputField', string[] | undefined> {
	return textField(optional(readPath), {
		displayName: 'Output Field',
		name: 'outputField',
		default: name,
		placeholder: `e.g. ${name}`,
		description: `Field for the result. Use a dot for a nested field, e.g. contact.${name}. An input field with this name is replaced.`,
	});
}
