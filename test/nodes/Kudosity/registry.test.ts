import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod/v4';
import { numberFilters } from '../../../nodes/Kudosity/api/schemas/number.schema.ts';
import { rcsDateRanges, rcsStatuses } from '../../../nodes/Kudosity/api/schemas/rcs.schema.ts';
import { eventTypes } from '../../../nodes/Kudosity/api/schemas/webhook.schema.ts';
import { Kudosity } from '../../../nodes/Kudosity/Kudosity.node.ts';
import { resources } from '../../../nodes/Kudosity/resources/index.ts';
import type { Operation } from '../../../nodes/Kudosity/runtime/operation.ts';
import { filterStatuses } from '../../../nodes/Kudosity/trigger/statuses.ts';
import { exampleFields, exampleOf } from '../../helpers/exampleFields.ts';
import { projectFiles } from '../../helpers/projectFiles.ts';

const basic = 'kudosityBasicApi';
const key = 'kudosityKeyApi';

/** What users' saved workflows depend on, by the credential they use: never rename or remove a line. */
const contract: Record<string, Record<string, string[]>> = {
	[key]: {
		'sms/send': [
			'message',
			'sender',
			'recipient',
			'options.maxParts',
			'options.messageRef',
			'options.repeatUnknown',
			'options.requestsPerSecond',
			'options.sendOnceKey',
			'options.trackLinks',
		],
		'rcs/get': ['messageId'],
		'rcs/getAll': [
			'returnAll',
			'limit',
			'filters.dateRange',
			'filters.endDate',
			'filters.startDate',
		],
		'rcs/waitForStatus': [
			'messageId',
			'until',
			'options.intervalSeconds',
			'options.timeoutSeconds',
		],
		'webhook/create': [
			'name',
			'url',
			'eventTypes',
			'filters.campaignId',
			'filters.messageRef',
			'filters.sender',
			'filters.status',
			'options.rateLimit',
		],
		'webhook/delete': ['webhookId'],
		'webhook/get': ['webhookId'],
		'webhook/getAll': ['returnAll', 'limit'],
		'webhook/update': [
			'webhookId',
			'name',
			'url',
			'eventTypes',
			'filters.campaignId',
			'filters.messageRef',
			'filters.sender',
			'filters.status',
			'options.rateLimit',
		],
	},
	[basic]: {
		'sms/sendBulk': [
			'message',
			'to',
			'from',
			'options.maxParts',
			'options.repeatUnknown',
			'options.requestsPerSecond',
			'options.sendOnceKey',
		],
		'number/getAll': ['filter', 'returnAll', 'limit'],
		'list/getAll': ['returnAll', 'limit'],
	},
};

const { description } = new Kudosity();

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		name: `${resource.value}/${operation.value}`,
		resource,
		operation,
	})),
);

const nested = ({ options = [] }: INodeProperties): INodeProperties[] =>
	options.filter(
		(option): option is INodeProperties => 'displayName' in option && 'type' in option,
	);

const choices = ({ type, options = [] }: INodeProperties): INodePropertyOptions[] =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

/** Every field with the path under which it is stored. */
const fieldsOf = ({ properties }: Operation): Array<{ path: string; field: INodeProperties }> =>
	properties.flatMap((field) => [
		{ path: field.name, field },
		...nested(field).map((inner) => ({ path: `${field.name}.${inner.name}`, field: inner })),
	]);

const leaves = (operation: Operation) =>
	fieldsOf(operation).filter(({ field }) => field.type !== 'collection');

type Shape = Record<string, z.ZodType>;
const shapeOf = (schema: z.ZodType | undefined): Shape =>
	schema && 'shape' in schema ? (schema.shape as Shape) : {};

const inputPaths = ({ input, properties }: Operation): string[] =>
	Object.entries(shapeOf(input)).flatMap(([name, schema]) => {
		const isCollection = properties.some(
			(property) => property.name === name && property.type === 'collection',
		);
		return isCollection ? Object.keys(shapeOf(schema)).map((inner) => `${name}.${inner}`) : [name];
	});

const schemaAt = ({ input }: Operation, path: string): z.ZodType | undefined => {
	const [name = '', inner] = path.split('.');
	const schema = shapeOf(input)[name];
	return inner === undefined ? schema : shapeOf(schema)[inner];
};

const isSorted = (names: string[]) =>
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));

const chosen = (resource: string, operation: string): INode => ({
	id: 'node',
	name: 'Kudosity',
	type: 'kudosity',
	typeVersion: 1,
	position: [0, 0],
	parameters: NodeHelpers.getNodeParameters(
		description.properties,
		{ resource, operation },
		true,
		false,
		null,
		description,
	)!,
});

const isShown = (node: INode, item: Pick<INodeProperties, 'displayOptions'>): boolean =>
	NodeHelpers.displayParameter(node.parameters, item as INodeProperties, node, description);

describe('the registry', () => {
	it('holds exactly the resources, operations and fields of the public contract', () => {
		const registered = operations.map(({ name, operation }) => [
			name,
			leaves(operation).map(({ path }) => path),
		]);
		expect(Object.fromEntries(registered)).toEqual({ ...contract[key], ...contract[basic] });
	});

	it('names each resource once, and each operation of a resource once', () => {
		expect(new Set(resources.map(({ value }) => value)).size).toBe(resources.length);
		expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
	});

	it('asks for credentials of this package, each described once, since n8n reads the first only', () => {
		expect(description.credentials?.map(({ name }) => name)).toEqual([basic, key]);
	});
});

describe.each(operations)('$name', ({ name, resource, operation }) => {
	const node = chosen(resource.value, operation.value);

	it('reads exactly the fields it shows, also inside of collections', () => {
		expect(inputPaths(operation).sort()).toEqual(
			leaves(operation)
				.map(({ path }) => path)
				.sort(),
		);
	});

	it('shows its own fields and none of another operation', () => {
		const own = operation.properties.map((property) => property.name);
		const shown = description.properties
			.filter((property) => isShown(node, property))
			.map((property) => property.name);
		expect(shown.sort()).toEqual(['resource', 'operation', ...own].sort());
	});

	it('asks for the one credential of its API', () => {
		const shown = description.credentials?.filter((credential) => isShown(node, credential));
		const promised = Object.keys(contract).filter((credential) => name in contract[credential]!);
		expect(shown?.map((credential) => credential.name)).toEqual(promised);
		expect(shown).toMatchObject([{ required: true }]);
	});

	it('has defaults that its own input understands', () => {
		const optional = fieldsOf(operation).filter(({ field }) => !field.required);
		for (const { path, field } of optional) {
			const result = schemaAt(operation, path)?.safeParse(field.default);
			expect(result?.success, path).toBe(true);
		}
	});

	it('understands the examples that it shows', () => {
		for (const { path, field } of leaves(operation)) {
			if (!field.placeholder) continue;
			const result = schemaAt(operation, path)?.safeParse(exampleOf(field));
			expect(result?.success, path).toBe(true);
		}
		expect(operation.input.safeParse(exampleFields(operation)).error?.issues ?? []).toEqual([]);
	});

	it('offers only choices that its input takes, and takes no other', () => {
		for (const { path, field } of leaves(operation)) {
			if (choices(field).length === 0) continue;
			const take = (value: unknown) =>
				schemaAt(operation, path)?.safeParse(field.type === 'multiOptions' ? [value] : value)
					.success;
			for (const { value } of choices(field)) expect(take(value), `${path} ${value}`).toBe(true);
			expect(take('no such choice'), path).toBe(false);
		}
	});

	it('sorts the choices of its fields and the fields of its collections', () => {
		for (const { field } of fieldsOf(operation)) {
			isSorted(choices(field).map((choice) => choice.name));
			isSorted(nested(field).map(({ displayName }) => displayName));
		}
	});

	it('offers Return All and Limit, 50 by default, when it gets many', () => {
		if (operation.value !== 'getAll') return expect(operation.name).not.toBe('Get Many');
		const limit = operation.properties.find((property) => property.name === 'limit');
		const returnAll = operation.properties.find((property) => property.name === 'returnAll');
		expect(operation.name).toBe('Get Many');
		expect(operation.action).toMatch(/^Get many /);
		expect(returnAll).toMatchObject({ type: 'boolean', default: false });
		expect(limit).toMatchObject({ type: 'number', default: 50, typeOptions: { minValue: 1 } });
		expect(isShown({ ...node, parameters: { ...node.parameters, returnAll: true } }, limit!)).toBe(
			false,
		);
	});
});

describe.each(operations)('the texts of $name', ({ operation }) => {
	const fields = fieldsOf(operation);
	const texts = [
		operation.name,
		operation.action,
		operation.description,
		...fields.flatMap(({ field }) => [
			field.displayName,
			field.description ?? '',
			...choices(field).flatMap((choice) => [choice.name, choice.description ?? '']),
		]),
	];

	it('avoid words that frighten, and templates left over', () => {
		for (const text of texts) {
			expect(text).not.toMatch(/\b(errors?|failures?|problems?|mistakes?|todo|undefined)\b/i);
		}
	});

	it('have an action in sentence case and a description of more than its name', () => {
		expect(operation.action).toMatch(/^[A-Z][a-z]+( ([a-z]+|[A-Z]{2,}))+$/);
		expect(operation.description.length).toBeGreaterThan(operation.name.length + 10);
	});

	it.each(leaves(operation))('describe the field $path', ({ field }) => {
		expect(field.displayName).toMatch(/^[A-Z]/);
		expect(field.description ?? '').not.toBe('');
		expect(field.description).not.toBe(field.displayName);
	});

	it('begin examples with e.g. and booleans with Whether', () => {
		for (const { field } of fields) {
			if (field.type === 'boolean') expect(field.description).toMatch(/^Whether /);
			if (field.type === 'collection') expect(field.placeholder).toMatch(/^Add /);
			else if (field.placeholder) expect(field.placeholder).toMatch(/^e\.g\. /);
		}
	});

	it('let a resource be chosen from a list first, and by its ID', () => {
		for (const { field } of fields) {
			if (field.type !== 'resourceLocator') continue;
			expect(field.modes?.map((mode) => mode.name)).toEqual(['list', 'id']);
			const method = field.modes?.[0]?.typeOptions?.searchListMethod;
			expect(Object.keys(new Kudosity().methods.listSearch)).toContain(method);
		}
		const webhookIds = fields.filter(({ path }) => path === 'webhookId');
		expect(webhookIds.filter(({ field }) => field.type !== 'resourceLocator')).toEqual([]);
	});
});

describe('the choices of a field', () => {
	const offered = (name: string, path: string) => {
		const found = operations.find((entry) => entry.name === name);
		const field = fieldsOf(found!.operation).find((entry) => entry.path === path);
		return choices(field!.field).map(({ value }) => value);
	};

	it.each([
		['number/getAll', 'filter', numberFilters],
		['rcs/getAll', 'filters.dateRange', rcsDateRanges],
		['rcs/waitForStatus', 'until', rcsStatuses],
		['webhook/create', 'eventTypes', eventTypes],
		['webhook/update', 'eventTypes', eventTypes],
		['webhook/create', 'filters.status', filterStatuses],
	])('are all that the service knows: %s %s', (name, path, known) => {
		expect(offered(name, path).sort()).toEqual([...known].sort());
	});
});

describe('the output schema of an operation', () => {
	const folder = 'nodes/Kudosity/__schema__/v1.0.0';

	it('exists for every operation, and for no other', () => {
		const expected = operations.map(({ name }) => `${folder}/${name}.json`);
		expect(Object.keys(projectFiles(folder, '.json')).sort()).toEqual(expected.sort());
	});
});
