import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { resources, type Operation } from '../seams.ts';
import { contactsFileUrl } from './contactsFile.ts';
import { preparedFields } from './preparedFields.ts';

type Fields = Record<string, unknown>;

/** Runs an operation, e.g. `sms/send`, with these fields, and answers its output. */
export type RunOperation = (name: string, fields: Fields) => Promise<Fields[]>;

/** Every operation, by the name that tests give it. */
export const operationsByName: Record<string, Operation> = Object.fromEntries(
	resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}/${operation.value}`, operation]),
	),
);

/** Those that ask the service; the others look at their items alone. */
export const askingOperations = Object.fromEntries(
	Object.entries(operationsByName).filter(([, { run }]) => run),
);

/** The example that a field shows while it is empty. */
export const exampleOf = ({ placeholder = '' }: { placeholder?: string }): string =>
	placeholder.replace(/^e\.g\. /, '');

const isEmpty = (value: unknown): boolean =>
	value === '' || (Array.isArray(value) && !value.length);

const valueOf = ({ type, options, modes, placeholder, ...field }: INodeProperties): unknown => {
	if (type === 'resourceLocator') {
		return exampleOf(modes?.find(({ name }) => name === 'id') ?? {});
	}
	if (!field.required || !isEmpty(field.default)) return field.default;
	const [first] = (options ?? []) as INodePropertyOptions[];
	return type === 'multiOptions' ? [first?.value] : (first?.value ?? exampleOf({ placeholder }));
};

/** What somebody enters who follows the panel: its example where a value is required, else its default. */
export const exampleFields = ({ properties }: Operation): Fields =>
	Object.fromEntries(properties.map((field) => [field.name, valueOf(field)]));

/** The numbers and agents that the panel shows as senders are not those of the emulator's account. */
const senderOf = (resource: string, example: unknown): unknown => {
	if (resource === 'sender') return example;
	return resource === 'rcs' ? RCS_AGENT : 'Acme';
};

/** Where the defaults would change nothing. */
const ofTheOperation: Record<string, Fields> = {
	'number/update': { options: { welcomeMessage: 'Thanks' } },
	// Nobody can answer a name.
	'sms/sendAndWait': { sender: '61491570156' },
	'whatsapp/sendAndWait': { sender: '61491570006' },
};

const exampleFieldsOf = (name: string): Fields =>
	Object.fromEntries(
		Object.entries(exampleFields(operationsByName[name]!)).map(([field, value]) => [
			field,
			ofTheOperation[name]?.[field] ??
				(field === 'sender' ? senderOf(name.split('/')[0]!, value) : value),
		]),
	);

/** What brings about a record to look at or to change: the first of these that its resource has. */
const sources = ['create', 'upsert', 'send', 'getAll'];

const recordFrom = async (
	resource: string,
	run: RunOperation,
	special?: Fields,
): Promise<Fields | undefined> => {
	const names = sources.map((value) => `${resource}/${value}`);
	const name = names.find((candidate) => candidate in operationsByName) ?? '';
	const [record] = await run(name, { ...exampleFieldsOf(name), ...special });
	return record;
};

/** What the record has to be like, beside the examples. */
const specialRecords: Record<string, Fields> = {
	'bulkSms/cancel': { options: { sendAt: '2099-01-31T09:00' } },
};

const isRecordId = ({ name, required }: INodeProperties): boolean =>
	required === true && name.endsWith('Id');

const isShown = ({ displayOptions }: INodeProperties, fields: Fields): boolean =>
	Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) =>
		wanted?.includes(fields[name] as string),
	);

/** What the record needs beside itself, so that there is something to get. */
const additions: Record<string, (run: RunOperation, record: Fields) => Promise<unknown>> = {
	'list/getContacts': async (run, { listId }) =>
		await run('contact/upsert', { contact: '61491570006', listId }),
	'list/getImport': async (run, { listId }) =>
		await run('list/importContacts', { listId, fileUrl: await contactsFileUrl() }),
};

/** The service names an ID alone, or by what it is the ID of: `listId` is `list_id` of a contact. */
const idIn = (record: Fields | undefined, field: string): string =>
	String(record?.[field.replace(/Id$/, '_id')] ?? record?.id);

/** Fields with which the operation works against the emulator: there are records, and an ID is that of one. */
export const workingFields = async (name: string, run: RunOperation): Promise<Fields> => {
	const [resource = '', operation] = name.split('/');
	const fields = exampleFieldsOf(name);
	const prepare = preparedFields[name];
	if (prepare) return { ...fields, ...(await prepare(run)) };
	if ('fileUrl' in fields) fields.fileUrl = await contactsFileUrl();
	const ids = operationsByName[name]!.properties.filter(
		(field) => isRecordId(field) && isShown(field, fields),
	);
	if (ids.length === 0 && operation !== 'getAll') return fields;
	const record = await recordFrom(resource, run, specialRecords[name]);
	const found = Object.fromEntries(ids.map((field) => [field.name, idIn(record, field.name)]));
	await additions[name]?.(run, found);
	return { ...fields, ...found };
};
