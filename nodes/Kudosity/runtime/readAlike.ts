import type { Field, Scope } from '../fields/field';

type Last = { value: unknown; scope: Scope; read: unknown };

/**
 * The field for the items of one run: a value that is the very one of the item before is not read again.
 * Most fields of ten thousand items are the same for all of them.
 */
export const readAlike = (field: Field): Field => {
	let last: Last | undefined;
	return {
		...field,
		read: (value, scope) => {
			if (last?.value !== value || last?.scope !== scope) {
				last = { value, scope, read: field.read(value, scope) };
			}
			return last?.read;
		},
	};
};
