import { customFieldsOf } from '../../api/customFields';
import { getList, importContacts as endpoint } from '../../api/endpoints/list';
import { lookAtImport, waitForImport } from '../../api/waitForImport';
import { options } from '../../fields/collection';
import { field, shownWhen, type InputOf } from '../../fields/field';
import { listId } from '../../fields/listId';
import { nameField } from '../../fields/nameField';
import { publicUrl } from '../../fields/readers/address';
import { oneOf } from '../../fields/readers/choice';
import { trueOrFalse } from '../../fields/readers/number';
import { timeLimit } from '../../fields/timeLimit';
import { defineOperation, type Services } from '../../runtime/operation';
import { columns, slotsOfColumns } from './columns';
import { addingFields, awaitingImport } from './perList';

const defaultTimeoutSeconds = 300;

const target = field(
	{
		displayName: 'Import Into',
		name: 'target',
		type: 'options',
		options: [
			{ name: 'Existing List', value: 'existing' },
			{ name: 'New List', value: 'new' },
		],
		default: 'existing',
		description: 'Whether the contacts go to an existing list or to a new one',
	},
	oneOf(['existing', 'new']),
);

const name = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Autumn Campaign',
	description: 'The name of the new list. No other list of the account may have it.',
});

const fileUrl = field(
	{
		displayName: 'File URL',
		name: 'fileUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/contacts.csv',
		description:
			'The public https address of a CSV file with a column Mobile, in which numbers have the international format. Kudosity takes the columns Firstname, Lastname, Mobile in this order, then those of custom fields. It must lead to the file itself, without a redirect.',
	},
	publicUrl,
);

const waitForCompletion = field(
	{
		displayName: 'Wait for Completion',
		name: 'waitForCompletion',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait until the import has finished, and output how many contacts it added',
	},
	trueOrFalse,
);

const timeoutSeconds = timeLimit(
	defaultTimeoutSeconds,
	'How many seconds to wait for completion in total. After that, the output is the progress so far, with <code>timedOut: true</code>.',
);

const fields = [
	target,
	shownWhen({ target: ['existing'] }, listId),
	shownWhen({ target: ['new'] }, name),
	fileUrl,
	columns,
	options(timeoutSeconds, waitForCompletion),
] as const;
type Input = InputOf<typeof fields>;

/** The list that it goes to, if that is there already. */
const existingList = ({ target, listId }: Input) => (target === 'existing' ? listId : undefined);

/** In the list's turn; a new list has no others to wait for. */
const inTurn = async <Value>(
	turn: typeof addingFields,
	{ services, input }: { services: Services; input: Input },
	task: () => Promise<Value>,
): Promise<Value> => {
	const listId = existingList(input);
	return listId ? await turn(services.clock, listId, task) : await task();
};

/** The custom fields of the list that it goes to, as far as they matter. */
const knownFields = async ({ call }: Services, input: Input) => {
	const listId = existingList(input);
	if (!listId || input.columns.length === 0) return [];
	const list = await call(getList, { list_id: listId, members: 'none' });
	return customFieldsOf(list.fields);
};

const importFile = async (services: Services, input: Input): Promise<string> => {
	const { target, listId, name, fileUrl, columns } = input;
	const slots = slotsOfColumns(columns, await knownFields(services, input));
	const where = target === 'new' ? { name } : { list_id: listId };
	const values = { ...where, file_url: fileUrl, ...slots };
	const { list_id: id } = await services.call(endpoint, values, { deliversTo: fileUrl });
	return id;
};

const importAndWait = async (services: Services, input: Input) => {
	const { timeoutSeconds = defaultTimeoutSeconds } = input.options;
	const known = existingList(input);
	const started = await inTurn(addingFields, { services, input }, async () => {
		const before = known ? await lookAtImport(services, known) : undefined;
		return { before, listId: await importFile(services, input) };
	});
	return await waitForImport(services, { ...started, timeoutMs: timeoutSeconds * 1000 });
};

/** POST /add-contacts-bulk.json, and on wish POST /add-contacts-bulk-progress.json until its end. */
export const importContacts = defineOperation({
	value: 'importContacts',
	name: 'Import Contacts',
	action: 'Import contacts into list',
	description:
		'Import a CSV file into a contact list: Kudosity reads it from its URL. Existing contacts are updated.',
	fields,
	once: true,
	run: async (services, input) => {
		const asked = { services, input };
		return input.options.waitForCompletion
			? await inTurn(awaitingImport, asked, async () => await importAndWait(services, input))
			: {
					list_id: await inTurn(addingFields, asked, async () => await importFile(services, input)),
				};
	},
});
