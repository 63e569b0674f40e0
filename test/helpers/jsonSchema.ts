/** The part of JSON schema that output schemas are written in. */
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

/** What in `value` is of another type than described, or not described at all. */
export const schemaIssues = (schema: OutputSchema, value: unknown, path = 'item'): string[] => {
	const type = typeOf(value);
	const isWanted = [schema.type].flat().some((wanted) => hasType(type, wanted));
	return isWanted
		? childIssues(schema, value, path)
		: [`${path} is ${type}, not ${[schema.type].flat().join(' or ')}`];
};
