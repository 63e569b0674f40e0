import {
	bySlot,
	createList,
	customFieldsOf,
	deleteList as deleteEndpoint,
	findCustomField,
	findRepeated,
	freeSlots,
	getActiveContacts,
	getContactsOfList,
	getList,
	getLists,
	maxCustomFields,
	nameCustomField,
} from '../../api/endpoints/list';
import { InputError } from '../../api/errors';
import { listId } from '../../fields/account';
import { filters, nameField } from '../../fields/collections';
import { field, refuse, textField } from '../../fields/field';
import { readLimit, listing } from '../../fields/listing';
import { commaList, optionalOneOf, textList } from '../../fields/readers';
import { defineOperation, type Resource, type Services } from '../../operation';
import { getImport, importContacts, listFieldsMutex, listName } from './import';

const fieldName = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Loyalty Level',
	description: 'Name of the new field',
});

/** Only to a free slot: naming another would rename it, and change the meaning of the values contacts have there. */
const addTo = async ({ call }: Services, listId: string, name: string) => {
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
};

export const addField = defineOperation({
	value: 'addField',
	name: 'Add Field',
	action: 'Add custom field to list',
	description:
		"Add a custom field to a contact list if it doesn't exist yet. A list can have up to 10.",
	fields: [listId, fieldName],
	run: async (services, { listId, name }) =>
		await listFieldsMutex(services.clock, listId, async () => {
			const field = await addTo(services, listId, name);
			return { id: listId, field: `field_${field.slot}`, name: field.name };
		}),
});

/** Each name once, in the order of their slots. */
const readFieldNames = (value: unknown): string[] => {
	// Do not split the entries of an array: file headings may contain commas.
	const names = Array.isArray(value) ? textList(value) : commaList(value);
	if (names.length > maxCustomFields) {
		return refuse(
			`has ${names.length} names, but only ${maxCustomFields} are allowed`,
			`Remove some: a list can have up to ${maxCustomFields} custom fields`,
		);
	}
	if (findRepeated(names) !== undefined) refuse('has a name twice', 'Use each name once');
	return names;
};

const fieldNames = textField(readFieldNames, {
	displayName: 'Custom Fields',
	name: 'fields',
	placeholder: 'e.g. Email, Postcode',
	description: 'Names of up to 10 custom fields, besides first and last name, separated by commas',
});

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create list',
	description: 'Create a contact list with custom fields',
	fields: [listName('It must be unique in your account'), fieldNames],
	once: true,
	run: async ({ call }, { name, fields }) => {
		const names = fields.map((field, index): [number, string] => [index + 1, field]);
		return await call(createList, { name, ...bySlot(names) });
	},
});

export const deleteList = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete list',
	description: 'Permanently delete a contact list and all contacts in it',
	fields: [listId],
	once: true,
	run: async ({ call }, { listId: id }) => {
		await call(deleteEndpoint, { list_id: id });
		return { deleted: true, id };
	},
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get list',
	description: 'Get a contact list with its custom fields and number of contacts',
	fields: [listId],
	run: async ({ call }, { listId }) => await call(getList, { list_id: listId, members: 'none' }),
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many lists',
	description: 'Get your contact lists with their number of members',
	fields: listing,
	run: ({ list }, input) => list(getLists, {}, readLimit(input)),
});

const status = field(optionalOneOf(['active', 'inactive']), {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Active', value: 'active' },
		{
			name: 'Inactive',
			value: 'inactive',
			description:
				"Deleted contacts, and some who opted out. To get all opt-outs, don't use this filter.",
		},
	],
	default: 'active',
	description: 'Which contacts to get. Without this filter, you get all of them.',
});

export const getContacts = defineOperation({
	value: 'getContacts',
	name: 'Get Contacts',
	action: 'Get contacts of list',
	description:
		'Get the contacts of a list, including those who opted out, with their status and custom fields',
	fields: [listId, ...listing, filters(status)],
	run: ({ list }, { listId, filters: { status }, ...input }) => {
		const endpoint = status === 'active' ? getActiveContacts : getContactsOfList;
		return list(endpoint, { list_id: listId, members: status }, readLimit(input));
	},
});

export const list: Resource = {
	value: 'list',
	name: 'List',
	connection: 'basic',
	operations: [getAll, addField, create, deleteList, get, getContacts, getImport, importContacts],
};
