import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { exampleOf, operationsByName } from '../../helpers/exampleFields.ts';

type Fields = Record<string, unknown>;

const textOf = (field: INodeProperties): string => {
	const example = exampleOf({ placeholder: field.placeholder });
	return example === '' ? String(field.default || 'Example') : example;
};

/** Not over yet, so that something can be planned for it. One time, so that no end comes before its start. */
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

const groupsOf = ({ options, typeOptions }: INodeProperties): Fields =>
	Object.fromEntries(
		((options ?? []) as INodePropertyCollection[]).map(({ name, values }) => [
			name,
			typeOptions?.multipleValues ? [filled(values)] : filled(values),
		]),
	);

const singleValueOf = (field: INodeProperties): unknown => {
	const choices = (field.options ?? []) as INodePropertyOptions[];
	const values: Partial<Record<INodeProperties['type'], () => unknown>> = {
		boolean: () => true,
		number: () => field.default || Number(exampleOf({ placeholder: field.placeholder })) || 1,
		options: () => field.default || choices[0]?.value,
		multiOptions: () => choices.map(({ value }) => value),
		dateTime: () => tomorrow,
		collection: () => filled(field.options as INodeProperties[]),
		fixedCollection: () => groupsOf(field),
		resourceLocator: () => exampleOf(field.modes?.find(({ type }) => type === 'string') ?? {}),
	};
	return (values[field.type] ?? (() => textOf(field)))();
};

const valueOf = (field: INodeProperties): unknown => {
	const isSeveral = field.type === 'string' && field.typeOptions?.multipleValues;
	return isSeveral ? [textOf(field)] : singleValueOf(field);
};

const filled = (fields: INodeProperties[]): Fields =>
	Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));

const isOptional = ({ required, type }: INodeProperties): boolean =>
	!required && type !== 'boolean' && type !== 'options';

/** The values of fields on which it depends which others are shown. */
const switchesOf = (properties: INodeProperties[]): Array<[string, unknown[]]> => {
	const shows = properties.map(({ displayOptions }) => Object.keys(displayOptions?.show ?? {}));
	const names = new Set(shows.flat());
	return properties
		.filter(({ name }) => names.has(name))
		.map(({ name, options }) => [
			name,
			options ? (options as INodePropertyOptions[]).map(({ value }) => value) : [true, false],
		]);
};

const isCollection = ({ type }: INodeProperties): boolean => /collection$/i.test(type);

const entriesOf = (value: unknown) => Object.entries((value ?? {}) as Fields);

/** Options that can keep a message from being sent. */
const guards = new Set(['dryRun', 'campaignName', 'deduplicationKey']);

const withoutGuards = ({ options, ...fields }: Fields): Fields => ({
	...fields,
	limits: {},
	options: Object.fromEntries(entriesOf(options).filter(([name]) => !guards.has(name))),
});

/** What optional fields need elsewhere. */
const beside: Record<string, Fields> = { 'bulkSms/send': { message: 'See [tracked-link]' } };

/** Fields that work, with all optional ones: one run for each choice on which it depends what is shown. */
export const fullRuns = (name: string, working: Fields): Fields[] => {
	const { properties } = operationsByName[name]!;
	const isWanted = (field: INodeProperties) =>
		isCollection(field) || (isOptional(field) && !working[field.name]);
	const optional = filled(properties.filter(isWanted));
	const all = withoutGuards({ ...working, ...optional, ...beside[name] });
	const switches = switchesOf(properties).flatMap(([field, values]) =>
		values.map((value) => ({ ...all, [field]: value })),
	);
	return switches.length > 0 ? switches : [all];
};

/** Where a run with everything is refused, since parts of it exclude each other: each alone, and all but each. */
export const partialRuns = (name: string, working: Fields, full: Fields): Fields[] =>
	operationsByName[name]!.properties.filter(isCollection).flatMap((field) => {
		const entries = entriesOf(full[field.name]);
		return entries.flatMap((part) => [
			{ ...working, [field.name]: Object.fromEntries([part]) },
			{ ...full, [field.name]: Object.fromEntries(entries.filter((each) => each !== part)) },
		]);
	});

/** The optional fields that these have, as `filters.status`. */
export const partsOf = (name: string, fields: Fields): string[] =>
	operationsByName[name]!.properties.filter(isCollection).flatMap((field) =>
		entriesOf(fields[field.name]).map(([inner]) => `${field.name}.${inner}`),
	);
