import {
	bySlot,
	createList,
	type CustomField,
	customFieldsOf,
	deleteList as deleteEndpoint,
	findCustomField,
	findRepeated,
	freeSlots,
	getActiveContacts,
	getContactsOfList,
	getImport as readImport,
	getList,
	getLists,
	importContacts as startImport,
	lookAtImport,
	maxCustomFields,
	nameCustomField,
	waitForImport,
} from '../api/endpoints/list';
import { InputError } from '../api/errors';
import { listId, timeLimit } from '../fields/account';
import { publicUrl } from '../fields/addresses';
import { filters, fixedCollection, nameField, options, switchField } from '../fields/collections';
import { field, type InputOf, refuse, shownWhen, textField } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { commaList, oneOf, optionalOneOf, textList } from '../fields/readers';
import { keyedSemaphore } from '../lib/async';
import { defineOperation, type Resource, type Services } from '../operation';

const fieldName = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Loyalty Level',
	description: 'Name of the new field',
});

/** Operations that add custom fields to a list run one at a time; otherwise two could pick the same slot. */
const listFieldsMutex = keyedSemaphore(1).runUnlessCancelled;

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

const listName = (description: string) =>
	nameField({
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. Autumn Campaign',
		description,
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

/** The service reports progress only for a list's latest import. */
const listImportMutex = keyedSemaphore(1).runUnlessCancelled;

const column = nameField({
	displayName: 'Column',
	name: 'column',
	placeholder: 'e.g. Email',
	description: 'Heading of the column in the file, and name of the custom field',
});

/** The service fills a custom field from the column of the same name and supports no other mapping. */
const columns = fixedCollection([column], {
	displayName: 'Columns',
	name: 'columns',
	row: 'Column',
	placeholder: 'Add column',
	description:
		'Columns that become custom fields, besides Firstname, Lastname and Mobile. Missing fields are added to the list.',
});

/** Of the custom field with its name, else a free one. @throws InputError a column occurs twice, or has no slot left */
const slotsOfColumns = (
	columns: Array<{ column: string }>,
	known: CustomField[],
): Record<string, string> => {
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
};

export const getImport = defineOperation({
	value: 'getImport',
	name: 'Get Import',
	action: 'Get import of list',
	description:
		'Get the progress of the latest import into a contact list, with the number of contacts imported or skipped',
	fields: [listId],
	run: async ({ call }, { listId }) => await call(readImport, { list_id: listId }),
});

const defaultTimeoutSeconds = 300;

const target = field(oneOf(['existing', 'new']), {
	displayName: 'Import Into',
	name: 'target',
	type: 'options',
	options: [
		{ name: 'Existing List', value: 'existing' },
		{ name: 'New List', value: 'new' },
	],
	default: 'existing',
	description: 'Where to add the contacts',
});

const fileUrl = textField(publicUrl, {
	displayName: 'File URL',
	name: 'fileUrl',
	required: true,
	placeholder: 'e.g. https://example.com/contacts.csv',
	description:
		'Public https URL of the CSV file, without a redirect. Columns: Firstname, Lastname, Mobile (in international format), then custom fields.',
});

const waitForCompletion = switchField({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		'Whether to wait until the import has finished and output how many contacts it added',
});

const timeoutSeconds = timeLimit(
	defaultTimeoutSeconds,
	'How many seconds to wait. After that, the output is the progress so far with <code>timedOut: true</code>.',
);

const fields = [
	target,
	shownWhen({ target: ['existing'] }, listId),
	shownWhen(
		{ target: ['new'] },
		listName('Name of the new list. It must be unique in your account.'),
	),
	fileUrl,
	columns,
	options(timeoutSeconds, waitForCompletion),
] as const;
type Input = InputOf<typeof fields>;

/** Waits for the list's turn. A new list needs none. */
const inTurn = async <Value>(
	turn: typeof listFieldsMutex,
	{ services, input: { listId } }: { services: Services; input: Input },
	task: () => Promise<Value>,
): Promise<Value> => (listId ? await turn(services.clock, listId, task) : await task());

/** The target list's custom fields; empty when the import does not need them. */
const knownFields = async ({ call }: Services, { listId, columns }: Input) => {
	if (!listId || columns.length === 0) return [];
	const list = await call(getList, { list_id: listId, members: 'none' });
	return customFieldsOf(list.fields);
};

const importFile = async (services: Services, input: Input): Promise<string> => {
	const { listId, name, fileUrl, columns } = input;
	const slots = slotsOfColumns(columns, await knownFields(services, input));
	const values = { list_id: listId, name, file_url: fileUrl, ...slots };
	const { list_id: id } = await services.call(startImport, values, { deliversTo: fileUrl });
	return id;
};

const importAndWait = async (services: Services, input: Input) => {
	const { listId, options } = input;
	const { timeoutSeconds = defaultTimeoutSeconds } = options;
	const started = await inTurn(listFieldsMutex, { services, input }, async () => {
		const before = listId ? await lookAtImport(services, listId) : undefined;
		return { before, listId: await importFile(services, input) };
	});
	return await waitForImport(services, { ...started, timeoutMs: timeoutSeconds * 1000 });
};

export const importContacts = defineOperation({
	value: 'importContacts',
	name: 'Import Contacts',
	action: 'Import contacts into list',
	description: 'Import a CSV file from a URL into a contact list. Existing contacts are updated.',
	fields,
	once: true,
	run: async (services, input) => {
		const asked = { services, input };
		if (input.options.waitForCompletion) {
			return await inTurn(listImportMutex, asked, async () => await importAndWait(services, input));
		}
		const start = async () => await importFile(services, input);
		return { list_id: await inTurn(listFieldsMutex, asked, start) };
	},
});

export const list: Resource = {
	value: 'list',
	name: 'List',
	connection: 'basic',
	operations: [getAll, addField, create, deleteList, get, getContacts, getImport, importContacts],
};
