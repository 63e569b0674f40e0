import {
	bySlot,
	createList,
	customFieldsOf,
	deleteList as deleteEndpoint,
	getActiveContacts,
	getContactsOfList,
	getImport as readImport,
	getList,
	getLists,
	importContacts as startImport,
	lookAtImport,
	waitForImport,
} from '../../api/endpoints/list';
import { listId, timeLimit } from '../../fields/recordFields';
import { publicUrl } from '../../fields/addresses';
import { filters, nameField, options, switchField } from '../../fields/collections';
import { field, type InputOf, shownWhen, textField } from '../../fields/field';
import { readLimit, listing } from '../../fields/listing';
import { oneOf, optionalOneOf } from '../../fields/readers';
import { keyedSemaphore } from '../../lib/async';
import { defineOperation, type Resource, type Services } from '../../fields/operation';
import { addField, columns, fieldNames, listFieldsMutex, slotsOfColumns } from './customFields';

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
	fields: [listName('Name of the list. It must be unique in your account.'), fieldNames],
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
	description: 'Get your contact lists and the number of contacts in each',
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
				"Deleted contacts, and some contacts who opted out. To get all opt-outs, don't use this filter.",
		},
	],
	default: 'active',
	description: 'Which contacts to get. Without this filter, you get all contacts.',
});

export const getContacts = defineOperation({
	value: 'getContacts',
	name: 'Get Contacts',
	action: 'Get contacts in list',
	description:
		'Get the contacts in a list, including those who opted out, with their status and custom fields',
	fields: [listId, ...listing, filters(status)],
	run: ({ list }, { listId, filters: { status }, ...input }) => {
		const endpoint = status === 'active' ? getActiveContacts : getContactsOfList;
		return list(endpoint, { list_id: listId, members: status }, readLimit(input));
	},
});

/** Runs imports into the same list one at a time, because the service only reports the progress of the latest one. */
const listImportMutex = keyedSemaphore(1).runUnlessCancelled;

export const getImport = defineOperation({
	value: 'getImport',
	name: 'Get Import',
	action: 'Get list import status',
	description:
		'Get the progress of the latest import into a contact list, with the number of contacts imported and skipped',
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
		'Public HTTPS URL of the CSV file (no redirects). Columns: Firstname, Lastname, Mobile (in international format), then custom fields.',
});

const waitForCompletion = switchField({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		'Whether to wait until the import has finished and output how many contacts it added',
});

const timeoutSeconds = timeLimit(
	defaultTimeoutSeconds,
	'How many seconds to wait. After that, the node outputs the progress so far, with <code>timedOut: true</code>.',
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

/**
 * Runs a task with the mutex `turn`, so for each list, its tasks run one at a time. A new list needs no mutex, because
 * no other task can use it yet.
 */
const inTurn = async <Value>(
	turn: typeof listFieldsMutex,
	{ services, input: { listId } }: { services: Services; input: Input },
	task: () => Promise<Value>,
): Promise<Value> => (listId ? await turn(services.clock, listId, task) : await task());

async function importFile({ call }: Services, input: Input): Promise<string> {
	const { listId: list_id, name, fileUrl, columns } = input;
	const isRead = list_id !== undefined && columns.length > 0;
	const { fields = [] } = isRead ? await call(getList, { list_id, members: 'none' }) : {};
	const slots = slotsOfColumns(columns, customFieldsOf(fields));
	const values = { list_id, name, file_url: fileUrl, ...slots };
	const { list_id: id } = await call(startImport, values, { deliversTo: fileUrl });
	return id;
}

async function importAndWait(services: Services, input: Input) {
	const { listId, options } = input;
	const { timeoutSeconds = defaultTimeoutSeconds } = options;
	const started = await inTurn(listFieldsMutex, { services, input }, async () => {
		const before = listId ? await lookAtImport(services, listId) : undefined;
		return { before, listId: await importFile(services, input) };
	});
	return await waitForImport(services, { ...started, timeoutMs: timeoutSeconds * 1000 });
}

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
	description: 'Contact lists, their fields and the import of contacts',
	connection: 'basic',
	operations: [getAll, addField, create, deleteList, get, getContacts, getImport, importContacts],
};
