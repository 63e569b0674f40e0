import type { IExecuteFunctions } from 'n8n-workflow';
import { readFields, type Input, type Scope } from '../fields/field';
import { sendOptionsOf } from '../fields/generalOptions';
import { attempt } from '../fields/refusal';
import { isDryRun } from '../sending/dryRun';
import type { Request } from '../sending/itemSender';
import { checkKept } from '../sending/keptGuards';
import { createKeyCheck } from '../sending/keyExpression';
import { countParts } from '../sending/parts';
import { checkRecipients } from '../sending/recipientGuard';
import { mapInSlices, type Breathe } from './breather';
import { createValueCheck } from './neededValues';
import type { Operation } from './operation';
import { isExpression } from './isExpression';
import { readAlike } from './readAlike';
import { scopeOfItem } from './readScope';

/** Whatever is wrong with an item is its result. */
export type Prepared = Request | { error: unknown; isDry?: boolean };

type Sending = Operation & Required<Pick<Operation, 'sends'>>;

const isSending = (operation: Operation): operation is Sending => operation.sends !== undefined;

/** n8n takes long to look up a field: one without an expression is the same for all items. */
const createReader = (
	context: IExecuteFunctions,
	{ name, type }: Operation['fields'][number]['property'],
	stored: unknown,
) => {
	// For either, n8n searches the whole panel; what is valid is for the field to say.
	const how = { extractValue: type === 'resourceLocator', skipValidation: true };
	const read = (itemIndex: number): unknown =>
		context.getNodeParameter(name, itemIndex, undefined, how);
	if (isExpression(stored)) return read;
	let known: { value: unknown } | undefined;
	return (itemIndex: number): unknown => (known ??= { value: read(itemIndex) }).value;
};

/** Fields that another field hides (Limit, while Return All is on) have no value. */
const createReaders = (context: IExecuteFunctions, { fields }: Operation) => {
	const { parameters } = context.getNode();
	return fields
		.map(({ property }) => property)
		.filter(({ name }) => name in parameters)
		.map((property) => ({
			name: property.name,
			read: createReader(context, property, parameters[property.name]),
		}));
};

/**
 * What is known of a message before it is sent, checked.
 *
 * @throws InputError something about it cannot be right, whatever the other items are
 */
const readMessage = ({ sends, combine }: Sending, input: Input) => {
	const options = sendOptionsOf(input);
	const nameOf = combine && (() => combine.nameOf(input as never));
	const message = { to: sends.to(input as never), options, nameOf, notSentOf: combine?.notSentOf };
	const text = sends.text?.(input as never);
	const fallback = sends.fallback?.(input as never);
	checkRecipients(message);
	if (fallback !== undefined) countParts(fallback, options.maxParts, 'SMS Fallback Message');
	return { message, parts: text === undefined ? undefined : countParts(text, options.maxParts) };
};

/** The fields of every item. All are checked before the first request is made. */
export const readItems = async (
	context: IExecuteFunctions,
	operation: Operation,
	{ scope, breathe }: { scope: Scope; breathe: Breathe },
): Promise<Prepared[]> => {
	const readers = createReaders(context, operation);
	const fields = operation.fields.map(readAlike);
	const steady = operation.combine?.steady() as ((input: Input) => Input) | undefined;
	const checkKey = createKeyCheck(context);
	const checkValues = createValueCheck(context, operation);
	const { options: written } = context.getNode().parameters;

	const readValues = (item: number): Input =>
		Object.fromEntries(readers.map(({ name, read }) => [name, read(item)]));

	const readRequest = (values: Input, item: number): Request => {
		const read: Input = readFields(fields, values, scopeOfItem(scope, values, written));
		const input = steady ? steady(read as never) : read;
		checkValues(input);
		operation.check?.(input as never);
		if (!isSending(operation)) return { input, message: undefined };
		checkKey(input, item);
		checkKept(context, sendOptionsOf(input));
		return { input, ...readMessage(operation, input) };
	};
	const prepare = (item: number): Prepared => {
		const values = attempt(() => readValues(item));
		const options = 'value' in values ? values.value.options : written;
		const isDry = isSending(operation) && isDryRun(options, context.getMode());
		const request = 'value' in values ? attempt(() => readRequest(values.value, item)) : values;
		return 'error' in request ? { ...request, isDry } : { ...request.value, isDry };
	};
	return await mapInSlices(context.getInputData(), (_, item) => prepare(item), breathe);
};
