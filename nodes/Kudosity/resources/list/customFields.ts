import {
	bySlot,
	type CustomField,
	customFieldsOf,
	findCustomField,
	findRepeated,
	freeSlots,
	getList,
	maxCustomFields,
	nameCustomField,
} from '../../api/endpoints/list';
import { InputError } from '../../api/errors';
import { listId } from '../../fields/recordFields';
import { fixedCollection, nameField } from '../../fields/collections';
import { refuse, textField } from '../../fields/field';
import { commaList, textList } from '../../fields/readers';
import { keyedSemaphore } from '../../lib/async';
import { defineOperation, type Services } from '../../fields/operation';

const fieldName = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Loyalty Level',
	description: 'Name of the new field',
});

/**
 * Runs operations that add custom fields to the same list one at a time, because two of them could pick the same slot
 * (`field_1` to `field_10`).
 */
export const listFieldsMutex = keyedSemaphore(1).runUnlessCancelled;

/**
 * Adds a field to a free slot, unless the list already has a field with this name. A slot in use is never chosen,
 * because that would rename its field, and thereby change the meaning of the contacts' values.
 */
async function addTo({ call }: Services, listId: string, name: string) {
	const { fields } = await call(getList, { list_id: listId, members: 'none' });
	const known = customFieldsOf(fields);
	const same = findCustomField(known, name);
	if (same) return same;
	const [slot] = freeSlots(known);
	if (slot === undefined) {
		throw new InputError(
			`The list already has ${maxCustomFields} custom fields`,
			"A list can't have more. Use an existing field, or another list",
		);
	}
	await call(nameCustomField, { list_id: listId, ...bySlot([[slot, name]]) });
	return { slot, name };
}

export const addField = defineOperation({
	value: 'addField',
	name: 'Add Field',
	action: 'Add custom field to list',
	description:
		'Add a custom field to a contact list, unless the list already has it. A list can have up to 10 custom fields.',
	fields: [listId, fieldName],
	run: async (services, { listId, name }) =>
		await listFieldsMutex(services.clock, listId, async () => {
			const field = await addTo(services, listId, name);
			return { id: listId, field: `field_${field.slot}`, name: field.name };
		}),
});

/** Reads the names of fields, in the order of their slots. Refuses duplicates. */
function readFieldNames(value: unknown): string[] {
	// Array entries aren't split, because the headings in a file may contain commas.
	const names = Array.isArray(value) ? textList(value) : commaList(value);
	if (names.length > maxCustomFields) {
		return refuse(
			`has ${names.length} names, but only ${maxCustomFields} are allowed`,
			`Remove some: a list can have up to ${maxCustomFields} custom fields`,
		);
	}
	if (findRepeated(names) !== undefined) refuse('has the same name twice', 'Use each name once');
	return names;
}

export const fieldNames = textField(readFieldNames, {
	displayName: 'Custom Fields',
	name: 'fields',
	placeholder: 'e.g. Email, Postcode',
	description:
		'Comma-separated names of up to 10 custom fields, in addition to first and last name',
});

const column = nameField({
	displayName: 'Column',
	name: 'column',
	placeholder: 'e.g. Email',
	description: 'Column heading in the file, which is also the name of the custom field',
});

/**
 * The file's columns that become custom fields. The service fills a custom field from the column with the same name; it
 * doesn't support any other mapping.
 */
export const columns = fixedCollection([column], {
	displayName: 'Columns',
	name: 'columns',
	row: 'Column',
	placeholder: 'Add column',
	description:
		'Columns to import as custom fields, in addition to Firstname, Lastname and Mobile. Fields missing from the list are added to it.',
});

/**
 * Returns the fields to send, e.g. `{ field_1: 'Email' }`. Each column gets the slot of the custom field with the same
 * name, or else a free slot.
 *
 * @throws InputError - a column occurs twice, or no slot is left
 */
export function slotsOfColumns(columns: Array<{ column: string }>, known: CustomField[]) {
	const names = columns.map(({ column }) => column);
	const twice = findRepeated(names);
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
				`'Columns' has '${name}', but the list has no room for it`,
				`Remove some columns: a list can have up to ${maxCustomFields} custom fields`,
			);
		}),
	);
}
