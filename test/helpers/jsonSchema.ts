/** The subset of JSON Schema that output schemas use. */
export type OutputSchema = {
	type: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
	version?: number;
};

const typeOf = (value: unknown): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

const hasType = (type: string, wanted: string): boolean =>
	type === wanted || (type === 'integer' && wanted === 'number');

const childIssues = (schema: OutputSchema, value: unknown, path: string): string[] => {
	if (Array.isArray(value)) {
		const { items } = schema;
		return items
			? value.flatMap((entry, index) => schemaIssues(items, entry, `${path}[${index}]`))
			: [];
	}
	if (typeof value !== 'object' || value === null || !schema.properties) return [];
	return Object.entries(value).flatMap(([name, entry]) => {
		const property = schema.properties?.[name];
		return property
			? schemaIssues(property, entry, `${path}.${name}`)
			: [`${path}.${name} is not described`];
	});
};

/** Parts of `value` that have the wrong type or are not described. */
export const schemaIssues = (schema: OutputSchema, value: unknown, path = 'item'): string[] => {
	const type = typeOf(value);
	const isWanted = [schema.type].flat().some((wanted) => hasType(type, wanted));
	return isWanted
		? childIssues(schema, value, path)
		: [`${path} is ${type}, not ${[schema.type].flat().join(' or ')}`];
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeOf(value) === 'object';

const propertiesOf = (records: Array<Record<string, unknown>>): Record<string, OutputSchema> => {
	// n8n's JSON drops undefined values.
	const entries = records.flatMap(Object.entries).filter(([, value]) => value !== undefined);
	const valuesOf = (name: string) =>
		entries.filter(([other]) => other === name).map(([, value]) => value);
	const names = new Set(entries.map(([name]) => name));
	return Object.fromEntries([...names].map((name) => [name, schemaOf(valuesOf(name))]));
};

/** A schema that describes exactly these values. */
export const schemaOf = (values: unknown[]): OutputSchema => {
	const types = [...new Set(values.map(typeOf))];
	const records = values.filter(isRecord);
	const entries = values.filter(Array.isArray).flat();
	return {
		type: types.length === 1 ? types[0]! : types,
		...(records.length > 0 ? { properties: propertiesOf(records) } : {}),
		...(entries.length > 0 ? { items: schemaOf(entries) } : {}),
	};
};

const widenedProperties = (
	known: Record<string, OutputSchema>,
	seen: Record<string, OutputSchema> = {},
): Record<string, OutputSchema> => {
	const changed = Object.entries(seen).map(([name, schema]) => {
		const former = known[name];
		return [name, former ? widened(former, schema) : schema] as const;
	});
	return { ...known, ...Object.fromEntries(changed) };
};

/** Extends `known` to also describe `seen`. Parts that `known` leaves open stay open. */
export const widened = (known: OutputSchema, seen: OutputSchema): OutputSchema => {
	const types = [known.type].flat();
	const isNew = (type: string) => !types.some((wanted) => hasType(type, wanted));
	const added = [seen.type].flat().filter(isNew);
	const { properties, items } = known;
	return {
		...known,
		...(added.length > 0 ? { type: [...types, ...added] } : {}),
		...(properties ? { properties: widenedProperties(properties, seen.properties) } : {}),
		...(items && seen.items ? { items: widened(items, seen.items) } : {}),
	};
};
