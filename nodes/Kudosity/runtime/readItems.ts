import type { IExecuteFunctions } from 'n8n-workflow';
import { readFields, type Input, type Scope } from '../fields/field';
import { sendOptionsOf } from '../fields/generalOptions';
import { isDryRun } from '../sending/dryRun';
import type { Request } from '../sending/itemSender';
import { createKeyCheck } from '../sending/keyExpression';
import { countParts } from '../sending/parts';
import { checkRecipients, createGuardCheck, recipientsOf } from '../sending/recipientGuard';
import { mapInSlices, type Breathe } from './breather';
import type { Operation } from './operation';
import { scopeOfItem } from './readScope';

/** Whatever is wrong with an item is its result. */
export type Prepared = Request | { error: unknown; isDry?: boolean };

const isExpression = (value: unknown): boolean =>
	typeof value === 'string'
		? value.startsWith('=')
		: typeof value === 'object' && value !== null && Object.values(value).some(isExpression);

/** n8n takes long to look up a field: one without an expression is the same for all items. */
const createReader = (context: IExecuteFunctions, name: string, stored: unknown) => {
	const read = (itemIndex: number): unknown =>
		context.getNodeParameter(name, itemIndex, undefined, { extractValue: true });
	if (isExpression(stored)) return read;
	let known: { value: unknown } | undefined;
	return (itemIndex: number): unknown => (known ??= { value: read(itemIndex) }).value;
};

/** Fields that another field hides (Limit, while Return All is on) have no value. */
const createReaders = (context: IExecuteFunctions, { fields }: Operation) => {
	const { parameters } = context.getNode();
	return fields
		.map(({ property }) => property.name)
		.filter((name) => name in parameters)
		.map((name) => ({ name, read: createReader(context, name, parameters[name]) }));
};

/** What can be told of a send without the others. */
const checkSend = (sends: NonNullable<Operation['sends']>, input: Input) => {
	sends.check?.(input as never);
	const options = sendOptionsOf(input);
	const text = sends.text?.(input as never);
	const fallback = sends.fallback?.(input as never);
	checkRecipients(recipientsOf(input), options);
	if (fallback !== undefined) countParts(fallback, options.maxParts, 'SMS Fallback Message');
	return text === undefined ? {} : { parts: countParts(text, options.maxParts) };
};

/** The fields of every item. All are checked before the first request is made. */
export const readItems = async (
	context: IExecuteFunctions,
	operation: Operation,
	{ scope, breathe }: { scope: Scope; breathe: Breathe },
): Promise<Prepared[]> => {
	const readers = createReaders(context, operation);
	const { sends } = operation;
	const checks = sends && { key: createKeyCheck(context), guards: createGuardCheck(context) };
	const { options: written } = context.getNode().parameters;
	const isDry = (options: unknown) => sends !== undefined && isDryRun(options, context.getMode());
	const prepare = (itemIndex: number): Prepared => {
		let options: unknown = written;
		try {
			const values: Input = Object.fromEntries(
				readers.map(({ name, read }) => [name, read(itemIndex)]),
			);
			({ options } = values);
			const input = readFields(operation.fields, values, scopeOfItem(scope, values));
			if (!sends || !checks) return { input };
			checks.guards(input);
			checks.key(input, itemIndex);
			return { input, ...checkSend(sends, input), isDry: isDry(options) };
		} catch (error) {
			return { error, isDry: isDry(options) };
		}
	};
	return await mapInSlices(context.getInputData(), (_, item) => prepare(item), breathe);
};
