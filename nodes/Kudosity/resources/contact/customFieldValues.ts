import { bySlot, findCustomField, type CustomField } from '../../api/customFields';
import { InputError } from '../../api/errors';

type Named = { name: string; value?: string };

const quoted = (names: string[]): string => names.map((name) => `'${name}'`).join(', ');

const unknownField = (name: string, fields: CustomField[]) =>
	new InputError(
		`'Custom Fields' has '${name}', which is no field of the list`,
		fields.length === 0
			? 'The list has no custom fields. List → Add Field adds one'
			: `Use one of ${quoted(fields.map((field) => field.name))}, or add the field with List → Add Field`,
	);

/**
 * Values by slot, as the service wants them. Empty ones are left out, so that they leave alone what is there.
 *
 * @throws InputError a name that the list does not have, or that is there twice
 */
export const customFieldValues = (
	named: Named[],
	fields: CustomField[],
): Record<string, string> => {
	const slots = named.map(({ name }) => {
		const slot = findCustomField(fields, name)?.slot;
		if (slot === undefined) throw unknownField(name, fields);
		return slot;
	});
	const twice = named.find((_, index) => slots.indexOf(slots[index] ?? 0) !== index);
	if (twice) {
		throw new InputError(
			`'Custom Fields' has '${twice.name}' twice`,
			'Use each field once, so that it is clear which value counts',
		);
	}
	return bySlot(
		named.flatMap(({ value }, index) =>
			value === undefined ? [] : [[slots[index] ?? 0, value] as [number, string]],
		),
	);
};
