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
type Look = Awaited<ReturnType<typeof lookAtImport>>;

/** The custom fields of the list that it goes to, as far as they matter. */
const knownFields = async ({ call }: Services, { target, listId, columns }: Input) => {
	if (target === 'new' || columns.length === 0) return [];
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

/** One after the other for a list that is there: each sees the fields that the one before has added. */
const startImport = async (
	services: Services,
	input: Input,
	look = async () => undefined as Look,
) => {
	const start = async () => {
		const before = await look();
		return { listId: await importFile(services, input), before };
	};
	const { target, listId } = input;
	return target === 'existing' && listId
		? await addingFields(services.clock, listId, start)
		: await start();
};

const importAndWait = async (services: Services, input: Input) => {
	const { timeoutSeconds = defaultTimeoutSeconds } = input.options;
	const { target, listId } = input;
	const isKnown = target === 'existing' && listId;
	const look = async () => (isKnown ? await lookAtImport(services, isKnown) : undefined);
	const started = await startImport(services, input, look);
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
		const { target, listId, options } = input;
		if (!options.waitForCompletion) {
			return { list_id: (await startImport(services, input)).listId };
		}
		return target === 'existing' && listId
			? await awaitingImport(
					services.clock,
					listId,
					async () => await importAndWait(services, input),
				)
			: await importAndWait(services, input);
	},
});
