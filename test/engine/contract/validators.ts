import { Ajv2019, type ErrorObject, type ValidateFunction } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import type { Exchange } from './recordingProxy.ts';
import {
	followed,
	readDocument,
	type Documented,
	type Schema,
	type VendorDocument,
	type VendorOperation,
} from './vendorDocuments.ts';

type Api = Exchange['api'];

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

const describesFields = (schema: Schema): boolean =>
	['$ref', 'properties', 'allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in schema);

/** A schema that refuses what it does not name. */
const closed = (schema: Schema): Schema =>
	describesFields(schema) && !('additionalProperties' in schema)
		? { ...schema, unevaluatedProperties: false }
		: schema;

const closedInside = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(closedInside);
	if (!isSchema(value)) return value;
	const inner = Object.fromEntries(
		Object.entries(value).map(([keyword, each]) => [keyword, closedInside(each)]),
	);
	const { properties, items } = inner;
	if (isSchema(properties)) {
		inner.properties = Object.fromEntries(
			Object.entries(properties).map(([name, each]) => [name, closed(each as Schema)]),
		);
	}
	if (isSchema(items)) inner.items = closed(items);
	return inner;
};

const forms = ['application/x-www-form-urlencoded', 'application/json'];

const schemaOfContent = (content: Record<string, { schema: Schema }> = {}): Schema | undefined =>
	forms.map((type) => content[type]?.schema).find((schema) => schema !== undefined);

/** An object among the parameters of a query stands for its fields. */
const queryFields = (document: VendorDocument, { parameters = [] }: Documented) =>
	parameters
		.map((parameter) => followed(document, parameter))
		.filter((parameter) => parameter.in === 'query')
		.flatMap(({ name, required, schema }) => {
			const { type, properties } = followed(document, schema);
			return type === 'object' && isSchema(properties)
				? Object.entries(properties).map(([each, inner]) => ({
						name: each,
						required: false,
						schema: inner as Schema,
					}))
				: [{ name, required: required ?? false, schema }];
		});

const objectOf = (fields: Array<{ name: string; required: boolean; schema: Schema }>): Schema => ({
	type: 'object',
	properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
	required: fields.filter(({ required }) => required).map(({ name }) => name),
	additionalProperties: false,
});

const formFields = (schema: Schema = {}) =>
	Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, inner]) => ({
		name,
		required: ((schema.required ?? []) as string[]).includes(name),
		schema: inner,
	}));

/** v1 writes a date as 2026-01-31 09:30:00, as the documents' texts and samples do, and says `date-time`. */
const v1Time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const createAjv = (api: Api, document: VendorDocument, coerceTypes: boolean) => {
	const ajv = new Ajv2019({
		strict: false,
		allErrors: true,
		logger: false,
		validateSchema: false,
		coerceTypes: coerceTypes && 'array',
	});
	addFormats.default(ajv);
	if (api === 'v1') ajv.addFormat('date-time', v1Time);
	ajv.addSchema(document as unknown as Schema, api);
	return ajv;
};

const worded = (where: string, { instancePath, message, params }: ErrorObject): string => {
	const { additionalProperty, unevaluatedProperty } = params as Record<string, string>;
	const name = additionalProperty ?? unevaluatedProperty;
	const place = `${where}${instancePath.replace(/\/\d+(?=\/|$)/g, '[]').replaceAll('/', '.')}`;
	return name === undefined ? `${place} ${message}` : `${place}.${name} is not documented`;
};

const check = (where: string, validate: ValidateFunction, value: unknown): string[] =>
	validate(structuredClone(value))
		? []
		: [...new Set((validate.errors ?? []).map((error) => worded(where, error)))];

/** What is wrong with requests and answers by the vendor's document of an API. */
export const createValidators = (api: Api) => {
	const document = readDocument(api);
	const strict = closedInside(document) as VendorDocument;
	const texts = createAjv(api, strict, true);
	const bodies = createAjv(api, strict, false);
	const answers = createAjv(api, document, false);

	const compileRequest = ({ method, path }: VendorOperation) => {
		const documented = strict.paths[path]![method.toLowerCase()]!;
		const content = followed(document, documented.requestBody ?? {}).content;
		const schema = schemaOfContent(content);
		const fields = queryFields(strict, documented);
		// The service reads the query and the form of v1 alike.
		const inText = api === 'v1' ? [...fields, ...formFields(schema)] : fields;
		return {
			text: texts.compile(objectOf(inText)),
			body: schema && api === 'v2' ? bodies.compile(closed(schema)) : undefined,
		};
	};
	const compiled = new Map<VendorOperation, ReturnType<typeof compileRequest>>();

	const requestIssues = (operation: VendorOperation, { query, body }: Exchange): string[] => {
		const validate = compiled.get(operation) ?? compileRequest(operation);
		compiled.set(operation, validate);
		if (api === 'v1') return check('request', validate.text, { ...query, ...(body as object) });
		const undocumented = body === undefined ? [] : ['body is not documented'];
		const inBody = validate.body ? check('body', validate.body, body ?? {}) : undocumented;
		return [...check('query', validate.text, query), ...inBody];
	};

	const answerIssues = ({ documented }: VendorOperation, { status, answer }: Exchange) => {
		const response = documented.responses[String(status)];
		// Few refusals are documented, and those of v1 not at all.
		if (!response) return status < 400 ? [`status ${status} is not documented`] : [];
		const schema = schemaOfContent(followed(document, response).content);
		return schema && answer !== undefined ? check('answer', answers.compile(schema), answer) : [];
	};
	return { requestIssues, answerIssues };
};
