import { Ajv } from 'ajv';
import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import {
	deliveryFilters,
	dateRanges,
	rcsStatuses,
	smsStatuses,
	numberFilters,
	eventTypes,
	readFields,
	loadPhones,
	Kudosity,
	resources,
	type Operation,
	filterStatuses,
} from '../../seams.ts';
import { exampleFields, exampleOf } from '../../helpers/exampleFields.ts';
import { currentContract, missingFrom } from '../../project/contract.ts';
import { projectFiles } from '../../helpers/projectFiles.ts';

const basic = 'kudosityBasicApi';
const key = 'kudosityKeyApi';

/** Written by `npm run generate`, which never removes a line once a version is published. */
const contract = JSON.parse(projectFiles('test/project', '.json')['test/project/contract.json']!);

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

/** The fields of each row, where the user adds rows. */
const inRows = ({ type, options = [] }: INodeProperties): INodeProperties[] =>
	type === 'fixedCollection'
		? (options as INodePropertyCollection[]).flatMap(({ values }) => values)
		: [];

/** Every field with the path under which it is stored. */
const fieldsOf = ({ properties }: Operation): Array<{ path: string; field: INodeProperties }> =>
	properties.flatMap((field) => [
		{ path: field.name, field },
		...nested(field).map((inner) => ({ path: `${field.name}.${inner.name}`, field: inner })),
		...inRows(field).map((inner) => ({ path: `${field.name}.values.${inner.name}`, field: inner })),
	]);

const holdsOthers = ({ type }: INodeProperties) =>
	type === 'collection' || type === 'fixedCollection';

const leaves = (operation: Operation) =>
	fieldsOf(operation).filter(({ field }) => !holdsOthers(field));

/** A row that is right but for what is put into it. */
const rowWith = (field: INodeProperties, values: object): object => ({
	...Object.fromEntries(inRows(field).map((inner) => [inner.name, exampleOf(inner)])),
	...values,
});

/** What is stored for a value inside of a field. */
const storedIn = (property: INodeProperties, [name, inner]: string[], value: unknown): unknown => {
	if (name === undefined) return value;
	return inner === undefined
		? { [name]: value }
		: { [name]: [rowWith(property, { [inner]: value })] };
};

const scope = { timeZone: 'UTC', phones: await loadPhones() };

/** Whether the operation takes a value for one of its fields. */
const takes = ({ fields }: Operation, path: string, value: unknown): boolean => {
	const [name = '', ...inner] = path.split('.');
	const field = fields.find(({ property }) => property.name === name);
	try {
		field?.read(storedIn(field.property, inner, value), scope);
		return field !== undefined;
	} catch {
		return false;
	}
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
	it('keeps every resource, operation and field that was promised', () => {
		expect(missingFrom(currentContract(), contract)).toEqual([]);
	});

	it('has promised all that it has: otherwise run npm run generate', () => {
		expect(missingFrom(contract, currentContract())).toEqual([]);
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

	it('shows its own fields and none of another operation', () => {
		// Some of them only show beside a certain value of another one.
		const own = operation.properties
			.filter((property) => isShown(node, property))
			.map((property) => property.name);
		const shown = description.properties
			.filter((property) => isShown(node, property))
			.map((property) => property.name);
		expect(shown.sort()).toEqual(['resource', 'operation', ...own].sort());
	});

	it('asks for the one credential of its API', () => {
		const shown = description.credentials?.filter((credential) => isShown(node, credential));
		// A new operation is not promised before `npm run generate`.
		const api = (['basic', 'key'] as const).find((each) => name in contract[each]);
		const promised = (api ?? resource.connection) === 'basic' ? basic : key;
		expect(shown?.map((credential) => credential.name)).toEqual([promised]);
		expect(shown).toMatchObject([{ required: true }]);
	});

	it('has defaults that its own input understands', () => {
		const optional = fieldsOf(operation).filter(({ field }) => !field.required);
		for (const { path, field } of optional) {
			expect(takes(operation, path, field.default), path).toBe(true);
		}
	});

	it('understands the examples that it shows', () => {
		for (const { path, field } of leaves(operation)) {
			if (!field.placeholder) continue;
			expect(takes(operation, path, exampleOf(field)), path).toBe(true);
		}
		const read = () => readFields(operation.fields, exampleFields(operation), scope);
		expect(read, 'with defaults, and placeholders of required fields').not.toThrow();
	});

	it('offers only choices that its input takes, and takes no other', () => {
		for (const { path, field } of leaves(operation)) {
			if (choices(field).length === 0) continue;
			const take = (value: unknown) =>
				takes(operation, path, field.type === 'multiOptions' ? [value] : value);
			for (const { value } of choices(field)) expect(take(value), `${path} ${value}`).toBe(true);
			expect(take('no such choice'), path).toBe(false);
		}
	});

	it('sorts the choices of its fields and the fields of its collections', () => {
		for (const { field } of fieldsOf(operation)) {
			isSorted(
				choices(field)
					.filter(({ value }) => value !== '')
					.map((choice) => choice.name),
			);
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
		expect(operation.action).toMatch(/^[A-Z][a-z]+( ([a-z]+|[A-Z]{2,}|WhatsApp))+$/);
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
			if (holdsOthers(field)) expect(field.placeholder).toMatch(/^Add /);
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
		const senders = operations
			.filter(({ operation }) => operation.sends)
			.flatMap(({ operation }) => operation.properties.filter(({ name }) => name === 'sender'));
		expect(senders.length).toBeGreaterThan(0);
		expect(senders.filter(({ type }) => type !== 'resourceLocator')).toEqual([]);
		// Nothing lists all senders, so they are typed unless somebody looks for one.
		expect(senders.map((field) => field.default)).toEqual(
			senders.map(() => ({ mode: 'id', value: '' })),
		);
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
		['bulkSms/getRecipients', 'filters.delivery', deliveryFilters],
		['number/getAll', 'filter', numberFilters],
		['rcs/getAll', 'filters.dateRange', dateRanges],
		['rcs/waitForStatus', 'until', rcsStatuses],
		['sms/getAll', 'filters.status', smsStatuses],
		['webhook/create', 'eventTypes', eventTypes],
		['webhook/update', 'eventTypes', eventTypes],
		['webhook/create', 'filters.status', filterStatuses],
	])('are all that the service knows: %s %s', (name, path, known) => {
		expect(offered(name, path).sort()).toEqual([...known].sort());
	});
});

it('offers to match replies by their message only where they name it', () => {
	const offering = operations.filter(({ operation }) =>
		fieldsOf(operation).some(({ path }) => path === 'options.matchBy'),
	);
	expect(offering.map(({ name }) => name)).toEqual(['sms/sendAndWait']);
});

describe('the output schema of an operation', () => {
	const folder = 'nodes/Kudosity/__schema__/v1.0.0';

	it('exists for every operation, as npm run generate writes it, and for no other', () => {
		const expected = operations.map(({ name }) => `${folder}/${name}.json`);
		expect(Object.keys(projectFiles(folder, '.json')).sort()).toEqual(expected.sort());
	});

	it.each(Object.entries(projectFiles(folder, '.json')))('is JSON schema: %s', (_, text) => {
		const ajv = new Ajv();
		expect(ajv.validateSchema(JSON.parse(text)), ajv.errorsText()).toBe(true);
	});
});
