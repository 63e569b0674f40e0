import type { IExecuteFunctions } from 'n8n-workflow';
import { isJson } from '../lib/json';
import type { Connection } from '../api/transport';
import {
	attempt,
	type Field,
	FieldError,
	type Input,
	readFields,
	type ReadContext,
} from '../fields/field';
import { sendOptionsOf, takesPhoneNumbers } from '../fields/sendOptions';
import { loadPhones } from '../fields/phone/phones';
import type { Operation } from '../operation';
import type { Attempt, Prepared } from '../send/attempt';
import { isDryRun } from '../send/dryRun';
import { createValidator } from '../send/guards';
import { mapYielding, type YieldIfDue } from './clock';
import { defaultCountryOf } from './credentials';

/** Whether what a node has stored for a field depends on the item, in whole or in a part. */
export const isExpression = (stored: unknown): boolean =>
	typeof stored === 'string'
		? stored.startsWith('=')
		: typeof stored === 'object' && stored !== null && Object.values(stored).some(isExpression);

/** What the fields of all items are read with. Only phone numbers need more than the time zone. */
export const readContext = async (
	context: IExecuteFunctions,
	operation: Operation,
	connection: Connection | undefined,
): Promise<ReadContext> => {
	const timeZone = context.getTimezone();
	if (!takesPhoneNumbers(operation)) return { timeZone };
	const phones = await loadPhones();
	if (!connection) return { timeZone, phones };
	// A credential that cannot be had is said when the first request needs it.
	const defaultCountry = await defaultCountryOf(context, connection).catch(() => undefined);
	return { timeZone, phones, defaultCountry };
};

const inCollection = (collection: unknown): Record<string, unknown> =>
	isJson(collection) ? collection : {};

/**
 * What the fields of one item are read with. Where an operation has a field for the country of its number, that one
 * counts. Else the option Default Country goes before the credential's, which counts where the option is left blank,
 * but not for an item whose expression delivers no country: its number could be somebody else's there. What it cannot
 * be is refused when it is read as a field.
 */
const contextOfItem = (
	scope: ReadContext,
	{ options, country, defaultCountry: own }: Input,
	written: unknown,
): ReadContext => {
	const defaultCountry = country ?? own ?? inCollection(options).defaultCountry;
	if (typeof defaultCountry === 'string' && defaultCountry.trim() !== '') {
		return { ...scope, defaultCountry };
	}
	const isMissing = isExpression(inCollection(written).defaultCountry);
	return isMissing ? { ...scope, defaultCountry: undefined } : scope;
};

/** n8n takes long to look up a field: one without an expression is the same for all items. */
const createReader = (
	context: IExecuteFunctions,
	{ name, type }: Field['property'],
	stored: unknown,
) => {
	// For either, n8n searches the whole panel; what is valid is for the field to say.
	const how = { extractValue: type === 'resourceLocator', skipValidation: true };
	const read = (item: number): unknown => context.getNodeParameter(name, item, undefined, how);
	if (isExpression(stored)) return read;
	let known: { value: unknown } | undefined;
	return (item: number): unknown => (known ??= { value: read(item) }).value;
};

/** What an expression delivers, or the error with which it fails. */
const orFailure =
	(read: (item: number) => unknown) =>
	(item: number): unknown => {
		const delivered = attempt(() => read(item));
		return 'value' in delivered ? delivered.value : delivered.error;
	};

/** A value that is the very one of the item before is not read again: most fields are the same for all items. */
const memoized = (field: Field): Field => {
	let last: { value: unknown; scope: ReadContext; read: unknown } | undefined;
	return {
		...field,
		read: (value, scope) => {
			if (last?.value !== value || last?.scope !== scope) {
				last = { value, scope, read: field.read(value, scope) };
			}
			return last?.read;
		},
	};
};

const isEmptyIn =
	(values: unknown) =>
	({ property }: Field): boolean => {
		const value = inCollection(values)[property.name];
		return value === undefined || (Array.isArray(value) && value.length === 0);
	};

const empty = (name: string, otherwise: string) =>
	new FieldError(
		`'${name}' is empty`,
		`Enter a value, check what the expression delivers, or ${otherwise}`,
	);

/** An expression, but none that an AI model fills in: it may well leave it empty. */
const isWorkflowsChoice = (stored: unknown): boolean =>
	isExpression(stored) && !JSON.stringify(stored).includes('$fromAI');

/**
 * Checks that what a node has is there for each item, as far as one whose expression delivers nothing would mean
 * something else: a guard would let everything pass, a message would go out at once, any number would be leased,
 * other people's messages would be listed, a webhook would deliver all events. A date that is left open is a wish of
 * its own.
 */
export const createRequiredCheck = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	{ fields }: Pick<Operation, 'fields'>,
) => {
	const { parameters } = context.getNode();
	const fieldsOf = (collection: string) =>
		fields.find(({ property }) => property.name === collection)?.fields ?? [];
	const isNeeded = ({ needsValue }: Field) => needsValue;
	const neededOptions = fieldsOf('options')
		.filter(isNeeded)
		.filter(({ property }) => property.name in inCollection(parameters.options));
	const neededFilters = fieldsOf('filters')
		.filter(({ property }) => property.type !== 'dateTime')
		.filter(({ property }) => isWorkflowsChoice(inCollection(parameters.filters)[property.name]));
	const neededFields = fields
		.filter(isNeeded)
		.filter(({ property }) => isExpression(parameters[property.name]));
	return (input: Input): void => {
		const field = neededFields.find(isEmptyIn(input));
		if (field) throw empty(field.property.displayName, 'leave the field itself empty');
		const option = neededOptions.find(isEmptyIn(input.options));
		if (option) throw empty(`Options > ${option.property.displayName}`, 'remove the option');
		const filter = neededFilters.find(isEmptyIn(input.filters));
		if (filter) throw empty(`Filters > ${filter.property.displayName}`, 'remove the filter');
	};
};

/** The fields of every item, checked before the first request is made: whatever is wrong with one is its result. */
export const readItems = async (
	context: IExecuteFunctions,
	operation: Operation,
	{ scope, breathe }: { scope: ReadContext; breathe: YieldIfDue },
): Promise<Prepared[]> => {
	const { parameters } = context.getNode();
	// Fields that another field hides (Limit, while Return All is on) have no value.
	const readers = operation.fields
		.filter(({ property: { name } }) => name in parameters)
		.map(({ property, takesFailures }) => {
			const read = createReader(context, property, parameters[property.name]);
			return { name: property.name, read: takesFailures ? orFailure(read) : read };
		});
	const fields = operation.fields.map(memoized);
	const normalize = operation.batch?.normalizer() ?? ((input: Input) => input);
	const checkValues = createRequiredCheck(context, operation);
	const validate = createValidator(context, operation);
	const { options: written } = parameters;

	const readValues = (item: number): Input =>
		Object.fromEntries(readers.map(({ name, read }) => [name, read(item)]));

	const readAttempt = (values: Input, item: number, isDry: boolean): Attempt => {
		const input = normalize(readFields(fields, values, contextOfItem(scope, values, written)));
		checkValues(input);
		operation.check?.(input);
		return { item, input, options: sendOptionsOf(input), isDry, ...validate(input, item) };
	};
	const prepare = (item: number): Prepared => {
		const values = attempt(() => readValues(item));
		const options = 'value' in values ? values.value.options : written;
		const isDry = operation.sends !== undefined && isDryRun(options, context.getMode());
		const read = 'value' in values ? attempt(() => readAttempt(values.value, item, isDry)) : values;
		return 'value' in read ? read.value : { item, isDry, error: read.error };
	};
	return await mapYielding(context.getInputData(), (_, item) => prepare(item), breathe);
};
