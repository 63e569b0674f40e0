import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { resources, type Operation } from '../seams.ts';
import { contactsFileUrl } from './contactsFile.ts';
import { preparedFields } from './preparedFields.ts';

type Fields = Record<string, unknown>;

/** Runs an operation, e.g. `sms/send`, with these fields and returns its output. */
export type RunOperation = (name: string, fields: Fields) => Promise<Fields[]>;

/** Every operation, by the name used in tests, e.g. `sms/send`. */
export const operationsByName: Record<string, Operation> = Object.fromEntries(
	resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}/${operation.value}`, operation]),
	),
);

/** Operations that call the service. The others only process their items. */
export const askingOperations = Object.fromEntries(
	Object.entries(operationsByName).filter(([, { run }]) => run),
);

/** The example in a field's placeholder. */
export const exampleOf = ({ placeholder = '' }: { placeholder?: string }): string =>
	placeholder.replace(/^e\.g\. /, '');

const isEmpty = (value: unknown): boolean =>
	value === '' || (Array.isArray(value) && !value.length);

const valueOf = ({ type, options, modes, placeholder, ...field }: INodeProperties): unknown => {
	if (type === 'resourceLocator') {
		return exampleOf(modes?.find(({ type }) => type === 'string') ?? {});
	}
	if (!field.required || !isEmpty(field.default)) return field.default;
	const [first] = (options ?? []) as INodePropertyOptions[];
	return type === 'multiOptions' ? [first?.value] : (first?.value ?? exampleOf({ placeholder }));
};

/** Values a user would enter: the example for required fields, otherwise the default. */
export const exampleFields = ({ properties }: Operation): Fields =>
	Object.fromEntries(
		properties
			// A test says itself which output it looks at.
			.filter(({ name }) => name !== 'output')
			.map((field) => [field.name, valueOf(field)]),
	);

/** The senders shown as examples in the panel do not exist in the emulator's account. */
const senderOf = (resource: string, example: unknown): unknown => {
	if (resource === 'sender') return example;
	return resource === 'rcs' ? RCS_AGENT : 'Acme';
};

/** Fields for operations whose examples would change nothing, or be refused. */
const ofTheOperation: Record<string, Fields> = {
	'number/update': { options: { welcomeMessage: 'Thanks' } },
	// A sender name cannot receive replies.
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

/** Operations that produce a record to read or change; the first one that the resource has is used. */
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

/** Fields that the record needs in addition to the examples. */
const specialRecords: Record<string, Fields> = {
	'bulkSms/cancel': { options: { sendAt: '2099-01-31T09:00' } },
};

const isRecordId = ({ name, required }: INodeProperties): boolean =>
	required === true && name.endsWith('Id');

const isShown = ({ displayOptions }: INodeProperties, fields: Fields): boolean =>
	Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) =>
		wanted?.includes(fields[name] as string),
	);

/** Other records that the operation needs, so that there is something to get. */
const additions: Record<string, (run: RunOperation, record: Fields) => Promise<unknown>> = {
	'list/getContacts': async (run, { listId }) =>
		await run('contact/upsert', { contact: '61491570006', listId }),
	'list/getImport': async (run, { listId }) =>
		await run('list/importContacts', { listId, fileUrl: await contactsFileUrl() }),
};

/** The service calls an ID `id`, or names its kind: `listId` is `list_id` in a contact. A record of ours has `messageId`. */
const idIn = (record: Fields | undefined, field: string): string =>
	String(record?.[field] ?? record?.[field.replace(/Id$/, '_id')] ?? record?.id);

/** Fields that work against the emulator. Creates the records that they refer to. */
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
