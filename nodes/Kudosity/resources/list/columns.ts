import {
	bySlot,
	findCustomField,
	freeSlots,
	isSameName,
	mostCustomFields,
	type CustomField,
} from '../../api/customFields';
import { InputError } from '../../api/errors';
import { fixedCollection } from '../../fields/fixedCollection';
import { nameField } from '../../fields/nameField';

const column = nameField({
	displayName: 'Column',
	name: 'column',
	placeholder: 'e.g. Email',
	description: 'The heading of the column in the file, which is also the name of the custom field',
});

/** The service fills a custom field from the column that has its name; there is no other way to map them. */
export const columns = fixedCollection(
	{
		displayName: 'Columns',
		name: 'columns',
		row: 'Column',
		placeholder: 'Add column',
		description:
			'Columns of the file that become custom fields, beside Firstname, Lastname and Mobile. A field that the list does not have is added to it.',
	},
	[column],
);

/**
 * The slots that the columns go to: that of the field of this name, else a free one.
 *
 * @throws InputError a column that is there twice, or for which the list has no room
 */
export const slotsOfColumns = (
	columns: Array<{ column: string }>,
	known: CustomField[],
): Record<string, string> => {
	const names = columns.map(({ column }) => column);
	const twice = names.find((one, index) =>
		names.slice(0, index).some((other) => isSameName(one, other)),
	);
	if (twice !== undefined) {
		throw new InputError(`'Columns' has '${twice}' twice`, 'Use each column once');
	}
	const free = freeSlots(known);
	return bySlot(
		names.map((name) => {
			const same = findCustomField(known, name);
			if (same) return [same.slot, same.name];
			const slot = free.shift();
			if (slot !== undefined) return [slot, name];
			throw new InputError(
				`'Columns' has '${name}', for which the list has no room`,
				`Leave some columns out: a list has at most ${mostCustomFields} custom fields`,
			);
		}),
	);
};
