import {
	bySlot,
	type CustomField,
	customFieldsOf,
	findCustomField,
	findRepeated,
	freeSlots,
	getImport as readImport,
	getList,
	importContacts as startImport,
	lookAtImport,
	maxCustomFields,
	waitForImport,
} from '../../api/endpoints/list';
import { InputError } from '../../api/errors';
import { listId, timeLimit } from '../../fields/account';
import { publicUrl } from '../../fields/addresses';
import { fixedCollection, nameField, options, switchField } from '../../fields/collections';
import { field, type InputOf, shownWhen, textField } from '../../fields/field';
import { oneOf } from '../../fields/readers';
import { keyedSemaphore } from '../../lib/async';
import { defineOperation, type Services } from '../../operation';

/** Operations that add custom fields to a list run one at a time; otherwise two could pick the same slot. */
export const listFieldsMutex = keyedSemaphore(1).runUnlessCancelled;

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

export const listName = (description: string) =>
	nameField({
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. Autumn Campaign',
		description,
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
