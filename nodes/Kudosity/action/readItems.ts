import type { IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../api/transport';
import { type Field, type Input, readFields, type ReadContext } from '../fields/field';
import { createRequiredCheck, inCollection, isExpression } from '../fields/requiredCheck';
import { encodeTexts } from '../fields/smartEncoding';
import { loadPhones } from '../fields/phone/phones';
import { createLimitsMerge, sendOptionsOf, takesPhoneNumbers } from '../fields/sendOptions';
import { memoizeLast, settleNow } from '../lib/async';
import type { Operation } from '../fields/operation';
import { type Attempt, type Prepared, refused } from '../send/attempt';
import { isDryRun } from '../send/dryRun';
import { createValidator } from '../send/sendingLimits';
import { mapYielding, type YieldIfDue } from '../n8n/clock';
import { defaultCountryOf } from '../n8n/credentials';
import { createCallCheck } from './agentCall';
import { createExpressionCheck } from './expressionMistakes';
import { createLimitsReader } from './readLimits';

/**
 * Creates the part of the read context that is the same for all items. Only reading phone numbers needs more than the
 * time zone, so nothing else is loaded for operations without phone numbers.
 */
export async function createReadContext(
	context: IExecuteFunctions,
	operation: Operation,
	connection: Connection | undefined,
): Promise<ReadContext> {
	const timeZone = context.getTimezone();
	if (!takesPhoneNumbers(operation)) return { timeZone };
	const phones = await loadPhones();
	if (!connection) return { timeZone, phones };
	// If the credential is missing, the first request that needs it reports that.
	const defaultCountry = await defaultCountryOf(context, connection).catch(() => undefined);
	return { timeZone, phones, defaultCountry };
}

/**
 * Adds an item's default country. The operation's own country field is preferred, then the Default Country option, and
 * then the credential. If the option's expression returns no country, the item has none: with the credential's country,
 * the number could belong to someone else.
 */
function forItem(
	readContext: ReadContext,
	{ options, country, defaultCountry: own }: Input,
	stored: unknown,
): ReadContext {
	const defaultCountry = country ?? own ?? inCollection(options).defaultCountry;
	if (typeof defaultCountry === 'string' && defaultCountry.trim() !== '') {
		return { ...readContext, defaultCountry };
	}
	const isMissing = isExpression(inCollection(stored).defaultCountry);
	return isMissing ? { ...readContext, defaultCountry: undefined } : readContext;
}

/**
 * Creates a function that reads a field for an item. `getNodeParameter` is slow, so a field without an expression is
 * only read once: its value is the same for all items.
 */
function createReader(
	context: IExecuteFunctions,
	{ name, type }: Field['property'],
	stored: unknown,
) {
	// n8n searches the whole panel to extract a value, and again to validate it. So n8n only extracts the values of
	// resource locators, and validates nothing: each field validates its own value.
	const options = { extractValue: type === 'resourceLocator', skipValidation: true };
	const read = (item: number): unknown => context.getNodeParameter(name, item, undefined, options);
	if (isExpression(stored)) return read;
	let known: { value: unknown } | undefined;
	return (item: number): unknown => (known ??= { value: read(item) }).value;
}

/** Returns the value of an expression, or the error if the expression fails. */
const orFailure =
	(read: (item: number) => unknown) =>
	(item: number): unknown => {
		const result = settleNow(() => read(item));
		return result.status === 'fulfilled' ? result.value : result.reason;
	};

/** Names the field in the error of an expression that fails. */
const namingField =
	(read: (item: number) => unknown, displayName: string) =>
	(item: number): unknown => {
		const result = settleNow(() => read(item));
		if (result.status === 'fulfilled') return result.value;
		const { reason } = result;
		if (reason instanceof Error) {
			reason.message = `The expression in '${displayName}' failed: ${reason.message}`;
		}
		throw reason;
	};

/**
 * Matches an expression that is only the path to a value, e.g. {{ $json.text }} or {{ $('Form').first().json.text }}.
 */
const pathToValue =
	/^=\s*\{\{\s*\$(?:json|\('[^']*'\)|\("[^"]*"\))(?:\??\.\w+(?:\(\d*\))?|\['[^']*'\]|\["[^"]*"\])*\s*\}\}\s*$/;

/** Whether a stored value is an expression that returns another value as it is. */
const readsAsIs = (stored: unknown): boolean =>
	typeof stored === 'string' && pathToValue.test(stored);

export async function readItems(
	context: IExecuteFunctions,
	operation: Operation,
	{ readContext, yieldIfDue }: { readContext: ReadContext; yieldIfDue: YieldIfDue },
): Promise<Prepared[]> {
	const { parameters } = context.getNode();
	const limits = createLimitsReader(context, operation, readContext);
	// A field has no value if another field hides it, e.g. Limit while Return All is on.
	const readers = operation.fields
		.filter(({ property: { name } }) => name in parameters)
		.map(({ property, takesFailures }) => {
			const read =
				property.name === 'limits'
					? limits.read
					: createReader(context, property, parameters[property.name]);
			const named = namingField(read, property.displayName);
			return { name: property.name, read: takesFailures ? orFailure(read) : named };
		});
	const fields = operation.fields.map((each) => ({
		...each,
		read: memoizeLast(each.read),
		isForwarded: readsAsIs(parameters[each.property.name]),
	}));
	const mergeLimits = createLimitsMerge();
	const checkCall = createCallCheck(context, operation);
	const checkExpressions = createExpressionCheck(context, operation);
	const checkRequired = createRequiredCheck(context, operation);
	const validate = createValidator(context, operation);

	const readValues = (item: number): Input =>
		Object.fromEntries(readers.map(({ name, read }) => [name, read(item)]));

	const readAttempt = (values: Input, item: number, isDry: boolean): Attempt => {
		checkCall(item);
		checkExpressions();
		if (!isDry) limits.checkPinned();
		const read = readFields(fields, values, forItem(readContext, values, parameters.options));
		checkRequired(read);
		const { smartEncoding, input } = encodeTexts(fields, mergeLimits(read));
		operation.check?.(input);
		const checked = validate(input);
		return { item, options: sendOptionsOf(input), isDry, ...checked, smartEncoding };
	};
	const prepare = (item: number): Prepared => {
		const values = settleNow(() => readValues(item));
		const isEvaluated = values.status === 'fulfilled';
		const options = isEvaluated ? values.value.options : parameters.options;
		const isDry = operation.sends !== undefined && isDryRun(options, context);
		const read = settleNow(() => {
			if (isEvaluated) return readAttempt(values.value, item, isDry);
			// A mistake in an expression explains better why it failed than n8n's own error.
			checkExpressions();
			throw values.reason;
		});
		return read.status === 'fulfilled' ? read.value : refused({ item, isDry }, read.reason);
	};
	return await mapYielding(context.getInputData(), (_, item) => prepare(item), yieldIfDue);
}
