import {
	bySlot,
	customFieldsOf,
	findCustomField,
	freeSlots,
	mostCustomFields,
	type CustomField,
} from '../../api/customFields';
import { getList, nameCustomField } from '../../api/endpoints/list';
import { InputError } from '../../api/errors';
import { listId } from '../../fields/listId';
import { nameField } from '../../fields/nameField';
import { defineOperation, type Services } from '../../runtime/operation';
import { addingFields } from './perList';

const name = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Loyalty Level',
	description: 'The name of the new field',
});

/** A name for a slot that has one would replace it, and with it the meaning of what contacts have there. */
const firstFreeSlot = (fields: CustomField[]): number => {
	const [slot] = freeSlots(fields);
	if (slot !== undefined) return slot;
	throw new InputError(
		`The list has ${mostCustomFields} custom fields already`,
		'A list cannot have more. Use one that is there, or another list',
	);
};

const addTo = async ({ call }: Services, listId: string, name: string) => {
	const { fields } = await call(getList, { list_id: listId, members: 'none' });
	const known = customFieldsOf(fields);
	const same = findCustomField(known, name);
	if (same) return same;
	const slot = firstFreeSlot(known);
	await call(nameCustomField, { list_id: listId, ...bySlot([[slot, name]]) });
	return { slot, name };
};

/** POST /get-list.json for a free slot, then POST /add-field-to-list.json. */
export const addField = defineOperation({
	value: 'addField',
	name: 'Add Field',
	action: 'Add custom field to list',
	description:
		'Add a custom field to a contact list, unless the list has one of that name. A list has at most 10.',
	fields: [listId, name],
	run: async (services, { listId, name }) =>
		await addingFields(services.clock, listId, async () => {
			const field = await addTo(services, listId, name);
			return { id: listId, field: `field_${field.slot}`, name: field.name };
		}),
});
