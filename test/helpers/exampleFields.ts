import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import type { Operation } from '../../nodes/Kudosity/runtime/operation.ts';

type Fields = Record<string, unknown>;

/** Runs an operation, e.g. `sms/send`, with these fields, and answers its output. */
export type RunOperation = (name: string, fields: Fields) => Promise<Fields[]>;

/** Every operation, by the name that tests give it. */
export const operationsByName: Record<string, Operation> = Object.fromEntries(
	resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value}/${operation.value}`, operation]),
	),
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

/** The numbers that the panel shows as senders are not leased by the emulator's account. */
const ofTheAccount: Fields = { sender: 'Acme', from: 'Acme' };

const exampleFieldsOf = (name: string): Fields =>
	Object.fromEntries(
		Object.entries(exampleFields(operationsByName[name]!)).map(([field, value]) => [
			field,
			ofTheAccount[field] ?? value,
		]),
	);

/** What brings about a record to look at or to change: the first of these that its resource has. */
const sources = ['create', 'send', 'getAll'];

const recordFrom = async (resource: string, run: RunOperation): Promise<Fields | undefined> => {
	const names = sources.map((value) => `${resource}/${value}`);
	const name = names.find((candidate) => candidate in operationsByName) ?? '';
	const [record] = await run(name, exampleFieldsOf(name));
	return record;
};

const isRecordId = ({ name, required }: INodeProperties): boolean =>
	required === true && name.endsWith('Id');

/** Fields with which the operation works against the emulator: there are records, and an ID is that of one. */
export const workingFields = async (name: string, run: RunOperation): Promise<Fields> => {
	const [resource = '', operation] = name.split('/');
	const fields = exampleFieldsOf(name);
	const ids = operationsByName[name]!.properties.filter(isRecordId);
	if (ids.length === 0 && operation !== 'getAll') return fields;
	const record = await recordFrom(resource, run);
	return { ...fields, ...Object.fromEntries(ids.map((field) => [field.name, String(record?.id)])) };
};
