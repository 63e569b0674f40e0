import { Ajv } from 'ajv';
import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { exampleFields, exampleOf, operationsByName } from '../../helpers/exampleFields.ts';
import { fakeClock } from '../../helpers/fakeClock.ts';
import { projectFiles } from '../../helpers/projectFiles.ts';
import { currentContract, missingFrom, type Names } from '../../project/contract.ts';
import {
	Kudosity,
	KudosityTrigger,
	dateRanges,
	deliveryFilters,
	eventTypes,
	filterStatuses,
	loadPhones,
	numberFilters,
	rcsStatuses,
	readFields,
	resources,
	smsStatuses,
	type Endpoint,
	type Operation,
} from '../../seams.ts';

const kudosity = new Kudosity();
const { description } = kudosity;

/** Written by `npm run generate`, which never removes a line once a version is published. */
const contract = JSON.parse(projectFiles('test/project', '.json')['test/project/contract.json']!);
delete contract.released;

const operations = Object.entries(operationsByName).map(([name, operation]) => ({
	name,
	operation,
	resource: resources.find(({ value }) => value === name.split('/')[0])!,
}));

const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

/** The fields inside of a field, and the path to them. */
const innerOf = ({ type, options = [] }: INodeProperties): [string, INodeProperties[]] => {
	if (type === 'collection') return ['', options as INodeProperties[]];
	const [group] = type === 'fixedCollection' ? (options as INodePropertyCollection[]) : [];
	return [`.${group?.name}`, group?.values ?? []];
};
const holdsOthers = (field: INodeProperties) => innerOf(field)[1].length > 0;

type Entry = { path: string; field: INodeProperties };

/** Every field with the path under which it is stored. */
const fieldsOf = (properties: INodeProperties[], folder = ''): Entry[] =>
	properties.flatMap((field) => {
		const path = `${folder}${field.name}`;
		const [between, inner] = innerOf(field);
		return [{ path, field }, ...fieldsOf(inner, `${path}${between}.`)];
	});

const actionFields = operations.flatMap(({ name, operation }) =>
	fieldsOf(operation.properties).map((entry) => ({ ...entry, name, operation })),
);
const fields = [
	...actionFields,
	...fieldsOf(new KudosityTrigger().description.properties).map((entry) => ({
		...entry,
		name: 'trigger',
	})),
];

/** Where in the panel something is wrong: all of it at once. */
const expectNone = <Value extends { name: string; path?: string }>(
	values: Value[],
	isWrong: (value: Value) => unknown,
) => {
	expect(values.length).toBeGreaterThan(0);
	const wrong = values.filter(isWrong).map(({ name, path }) => [name, path].join(' '));
	expect(wrong).toEqual([]);
};

const isSorted = (names: string[]) =>
	names.every((name, place) => place === 0 || names[place - 1]!.localeCompare(name) <= 0);

const scope = { timeZone: 'UTC', phones: await loadPhones() };

const succeeds = (read: () => unknown): boolean => {
	try {
		read();
		return true;
	} catch {
		return false;
	}
};

/** What is stored for a value inside of a field; in a group, it has examples or defaults beside it. */
const storedIn = (field: INodeProperties, [name, ...path]: string[], value: unknown): unknown => {
	if (name === undefined) return value;
	const inner = innerOf(field)[1];
	if (field.type !== 'fixedCollection') {
		const found = inner.find((each) => each.name === name);
		return { [name]: found ? storedIn(found, path, value) : value };
	}
	const others = inner.map((each) => [each.name, exampleOf(each) || each.default]);
	const group = { ...Object.fromEntries(others), [path.join('.')]: value };
	return { [name]: field.typeOptions?.multipleValues ? [group] : group };
};

/** Whether the user has to fill in something that has no default. */
const needsMore = (field: INodeProperties): boolean =>
	innerOf(field)[1].some((each) => each.required && each.default === '');

/** Whether the operation takes a value for one of its fields. */
const takes = ({ fields }: Operation, path: string, value: unknown): boolean => {
	const [name = '', ...inner] = path.split('.');
	const { property, read } = fields.find((each) => each.property.name === name)!;
	return succeeds(() => read(storedIn(property, inner, value), scope));
};

const chosen = (name: string): INode => {
	const [resource, operation] = name.split('/');
	const values = { resource, operation } as INode['parameters'];
	const node = { id: 'n', name: 'n', type: 'kudosity', typeVersion: 1, position: [0, 0] as never };
	const all = [description.properties, values, true, false, null, description] as const;
	return { ...node, parameters: NodeHelpers.getNodeParameters(...all)! };
};

const shownOf = <Item extends { name: string }>(node: INode, items: Item[] = []): string[] =>
	items
		.filter((item) =>
			NodeHelpers.displayParameter(node.parameters, item as never, node, description),
		)
		.map(({ name }) => name);

describe('the registry', () => {
	it('keeps every name that was promised, and has promised every one: otherwise run npm run generate', async () => {
		const current = await currentContract();
		expect(missingFrom(current, contract)).toEqual([]);
		expect(missingFrom(contract, current)).toEqual([]);
	});

	it('would miss a name that is gone, whatever holds it', async () => {
		const current = await currentContract();
		const without = (path: string[], from: Names): Names => {
			const [name = '', ...inner] = path;
			if (Array.isArray(from)) return from.filter((each) => each !== name);
			const { [name]: found, ...others } = from;
			return inner.length === 0 ? others : { ...others, [name]: without(inner, found!) };
		};
		const promised = [
			['credentials', 'kudosityKeyApi', 'baseUrl'],
			['operations', 'none', 'phoneNumber/clean'],
			['operations', 'key', 'sms/send', 'options.dryRun', 'manual'],
			['triggers', 'kudosityTrigger', 'events', 'OPT_OUT'],
			['versions', 'kudosityTrigger', '1.1'],
			['countries', 'NZ'],
			['events', 'inbound', 'inReplyTo.text'],
			['events', 'inbound', 'media.property'],
			['questions', 'approval', 'data.approved'],
			['errorCodes', 'outcome_unknown'],
		];
		for (const path of promised) {
			expect(missingFrom(without(path, current), current)).toEqual([path.join(' ')]);
		}
	});

	it('names each resource once, and each operation of a resource once', () => {
		expect(new Set(resources.map(({ value }) => value)).size).toBe(resources.length);
		const count = resources.reduce((sum, resource) => sum + resource.operations.length, 0);
		expect(operations).toHaveLength(count);
	});

	it('asks for credentials of this package, each described once, since n8n reads the first only', () => {
		const names = description.credentials?.map(({ name }) => name);
		expect(names).toEqual(['kudosityBasicApi', 'kudosityKeyApi']);
		expectNone(operations, ({ name, resource }) => {
			// A new operation is not promised before `npm run generate`.
			const promised = (['basic', 'key', 'none'] as const).find(
				(api) => name in contract.operations[api],
			);
			const wanted = { basic: 'kudosityBasicApi', key: 'kudosityKeyApi', none: '' };
			const api = promised ?? resource.connection ?? 'none';
			return shownOf(chosen(name), description.credentials).join() !== wanted[api];
		});
		expect(description.credentials?.every(({ required }) => required)).toBe(true);
	});

	it('has an output schema for every operation, as npm run generate writes it, and no other', () => {
		const folder = 'nodes/Kudosity/__schema__/v1.0.0';
		const schemas = projectFiles(folder, '.json');
		const expected = operations.map(({ name }) => `${folder}/${name}.json`);
		expect(Object.keys(schemas).sort()).toEqual(expected.sort());
		const ajv = new Ajv();
		const broken = expected.filter((path) => !ajv.validateSchema(JSON.parse(schemas[path]!)));
		expect(broken).toEqual([]);
	});
});

describe('an operation', () => {
	it('shows its own fields and none of another one', () => {
		expectNone(operations, ({ name, operation }) => {
			const node = chosen(name);
			// Some of them only show beside a certain value of another one.
			const own = ['resource', 'operation', ...shownOf(node, operation.properties)];
			return shownOf(node, description.properties).sort().join() !== own.sort().join();
		});
	});

	it('calls the API whose credential its resource asks for', async () => {
		const called = new Map<string, Set<string>>();
		for (const { name, operation } of operations) {
			if (!operation.run) continue;
			const connections = new Set<string>();
			const note = ({ connection }: Endpoint): never => {
				connections.add(connection);
				throw new Error('far enough');
			};
			const call = async (endpoint: Endpoint) => note(endpoint);
			const service = { call, callShared: call, list: note, clock: fakeClock(), timeZone: 'UTC' };
			const input = readFields(operation.fields, exampleFields(operation), scope);
			const run = async () => await operation.run?.(service as never, input);
			await expect(run()).rejects.toThrow('far enough');
			called.set(name, connections);
		}
		expectNone(operations, ({ name, resource: { connection } }) => {
			return [...(called.get(name) ?? [])].join() !== (connection ?? '');
		});
	});

	it('has an action in sentence case, and a description of more than its name', () => {
		expectNone(
			operations,
			({ operation: { name, action, description } }) =>
				!/^[A-Z][a-z]+( ([a-z]+|[A-Z]{2,}|WhatsApp))+$/.test(action) ||
				description.length <= name.length + 10,
		);
	});

	it('offers Return All and Limit, 50 by default, when it gets many', () => {
		expectNone(operations, ({ name, operation: { value, name: label, action, properties } }) => {
			if (value !== 'getAll') return label === 'Get Many';
			const [returnAll, limit] = ['returnAll', 'limit'].map((wanted) =>
				properties.find((property) => property.name === wanted),
			);
			const node = chosen(name);
			node.parameters.returnAll = true;
			return !(
				`${label}, ${action}`.startsWith('Get Many, Get many ') &&
				returnAll?.type === 'boolean' &&
				returnAll.default === false &&
				limit?.type === 'number' &&
				limit.default === 50 &&
				limit.typeOptions?.minValue === 1 &&
				shownOf(node, [limit]).length === 0
			);
		});
	});

	it('takes its defaults', () => {
		const optional = actionFields.filter(({ field }) => !field.required && !needsMore(field));
		expectNone(optional, ({ operation, path, field }) => !takes(operation, path, field.default));
	});

	it('takes the examples that it shows, also all at once', () => {
		const shown = actionFields.filter(({ field }) => field.placeholder && !holdsOthers(field));
		expectNone(shown, ({ operation, path, field }) => !takes(operation, path, exampleOf(field)));
		expectNone(operations, ({ operation }) => {
			const examples = exampleFields(operation) as Parameters<typeof readFields>[1];
			return !succeeds(() => readFields(operation.fields, examples, scope));
		});
	});

	it('takes the choices that it offers, and no other', () => {
		// Where nothing stops the node, a wrong choice is the reason in the output.
		const isLenient = (name: string, path: string) =>
			`${name} ${path}` === 'phoneNumber/clean defaultCountry';
		const offering = actionFields.filter(({ field }) => choicesOf(field).length > 0);
		expectNone(offering, ({ name, operation, path, field }) => {
			const take = (value: unknown) =>
				takes(operation, path, field.type === 'multiOptions' ? [value] : value);
			return (
				!choicesOf(field).every(({ value }) => take(value)) ||
				take('no such choice') !== isLenient(name, path)
			);
		});
	});

	it('offers all that the service knows', () => {
		const known: Record<string, readonly string[]> = {
			'bulkSms/getRecipients filters.delivery': deliveryFilters,
			'number/getAll filter': numberFilters,
			'rcs/getAll filters.dateRange': dateRanges,
			'rcs/waitForStatus until': rcsStatuses,
			'sms/getAll filters.status': smsStatuses,
			'webhook/create eventTypes': eventTypes,
			'webhook/update eventTypes': eventTypes,
			'webhook/create filters.status': filterStatuses,
			'trigger events': [...eventTypes, 'ANY_OPT_OUT'],
		};
		for (const [wanted, values] of Object.entries(known)) {
			const entry = fields.find(({ name, path }) => `${name} ${path}` === wanted);
			const offered = choicesOf(entry!.field).map(({ value }) => String(value));
			expect(offered.sort(), wanted).toEqual([...values].sort());
		}
	});

	it('matches replies by their message only where they name it', () => {
		const offering = actionFields.filter(({ path }) => path === 'options.matchBy');
		expect(offering.map(({ name }) => name)).toEqual(['sms/sendAndWait']);
	});

	it('shows the options that concern the response type', () => {
		const words = ['approveWords', 'declineWords'];
		const unexpected = ['onUnexpectedReply', 'unexpectedReplyMessage'];
		const shown = { approval: [...words, ...unexpected], choice: unexpected, freeText: [] };
		const asking = operations.filter(({ operation }) => operation.asks);
		expectNone(asking, ({ name, operation }) => {
			const options = operation.properties.find((property) => property.name === 'options');
			return Object.entries(shown).some(([responseType, wanted]) => {
				const node = chosen(name);
				node.parameters.responseType = responseType;
				const inPanel = (options!.options as INodeProperties[]).filter((option) =>
					NodeHelpers.displayParameter({}, option, node, description, node.parameters),
				);
				const concerned = inPanel.filter((option) => shown.approval.includes(option.name));
				return concerned.map((option) => option.name).join() !== wanted.join();
			});
		});
	});

	it('lets a resource be chosen from a list first, and by its ID', () => {
		const locators = actionFields.filter(({ field }) => field.type === 'resourceLocator');
		expectNone(locators, ({ field: { modes = [] } }) => {
			const method = modes[0]?.typeOptions?.searchListMethod ?? '';
			const names = modes.map(({ name }) => name).join();
			return (
				!['list,id', 'list,number'].includes(names) || !(method in kudosity.methods.listSearch)
			);
		});
		const isSender = ({ operation, path }: (typeof actionFields)[number]) =>
			path === 'sender' && operation.sends !== undefined;
		expectNone(
			actionFields.filter((entry) => entry.path === 'webhookId' || isSender(entry)),
			(entry) => !locators.includes(entry),
		);
		// Nothing lists all senders, so they are typed unless somebody looks for one.
		const typed = ['id', 'number'].map((mode) => JSON.stringify({ mode, value: '' }));
		const senders = actionFields.filter(isSender);
		expectNone(senders, ({ field }) => !typed.includes(JSON.stringify(field.default)));
	});
});

describe('the panel', () => {
	it('avoids words that frighten, and templates left over', () => {
		const texts = [
			...operations.map(({ name, operation: { name: label, action, description } }) => ({
				name,
				texts: [label, action, description],
			})),
			...fields.map(({ name, path, field }) => ({
				name,
				path,
				texts: [
					field.displayName,
					field.description,
					...choicesOf(field).flatMap((choice) => [choice.name, choice.description]),
				],
			})),
		];
		const frightening = /\b(errors?|failures?|problems?|mistakes?|todo|undefined)\b/i;
		expectNone(texts, ({ texts }) => frightening.test(texts.join('\n')));
	});

	it('explains each field in other words than its name', () => {
		const explained = fields.filter(({ field }) => field.type !== 'collection');
		expectNone(
			explained,
			({ field: { displayName, description } }) =>
				!/^[A-Z]/.test(displayName) ||
				!/\w{3,}/.test(description ?? '') ||
				description === displayName,
		);
	});

	it('says what each resource is for', () => {
		const [selector] = description.properties.filter(({ name }) => name === 'resource');
		const choices = choicesOf(selector!);
		expect(choices).toHaveLength(15);
		for (const { name, description: text } of choices) {
			expect(text?.length, name).toBeGreaterThan(name.length + 10);
			expect(text?.length, name).toBeLessThanOrEqual(140);
		}
	});

	it('begins examples with e.g., booleans with Whether, and what holds others with Add', () => {
		expectNone(fields, ({ field }) => {
			const { type, description, placeholder = '' } = field;
			if (holdsOthers(field)) return !placeholder.startsWith('Add ');
			if (type === 'boolean') return !description?.startsWith('Whether ');
			return (type === 'string' || placeholder) && !/^e\.g\. \S/.test(placeholder);
		});
	});

	it('sorts choices, but for the days of a week, and the fields of collections', () => {
		expectNone(fields, ({ field }) => {
			if (field.name === 'days') return false;
			const choices = choicesOf(field).filter(({ value }) => value !== '');
			const inner = field.type === 'collection' ? innerOf(field)[1] : [];
			return !(
				isSorted(choices.map(({ name }) => name)) &&
				isSorted(inner.map(({ displayName }) => displayName))
			);
		});
	});

	it('has no name that n8n cuts off, and no description that nobody reads to its end', () => {
		expectNone(fields, ({ field: { displayName, description = '' } }) => {
			return displayName.length > 26 || description.length > 140;
		});
	});

	it('says of each sender that may be a name what a name cannot do', () => {
		const senders = actionFields.filter(
			({ path, operation, field: { description = '' } }) =>
				operation.sends && /sender$/i.test(path) && /\bname\b/.test(description),
		);
		expect(senders.length).toBeGreaterThan(5);
		const facts = [/STOP|can't reply to a sender name/, /In Australia.*Unverified|can receive SMS/];
		expectNone(senders, ({ field: { description = '' } }) =>
			facts.some((fact) => !fact.test(description)),
		);
	});

	it('says of each text that a commercial one from a name needs an opt-out link', () => {
		for (const text of ['sms/send message', 'bulkSms/send message']) {
			const entry = fields.find(({ name, path }) => `${name} ${path}` === text);
			expect(entry?.field.description, text).toMatch(
				/\[opt-out-link\].*name needs this link.*STOP/,
			);
		}
	});

	it('asks for sender, recipient and message in this order on every channel', () => {
		const order = ['sender', 'recipient', 'sendTo', 'contentType', 'message'];
		const sending = operations.filter(({ operation }) => operation.sends);
		expectNone(sending, ({ operation: { properties } }) => {
			const names = properties.map(({ name }) => name).filter((name) => order.includes(name));
			return names.some((name, place) => order.indexOf(name) < order.indexOf(names[place - 1]!));
		});
	});

	it('keeps the options of a send few, and limits apart from them', () => {
		const { properties } = operationsByName['sms/send']!;
		const inner = (name: string) => innerOf(properties.find((each) => each.name === name)!)[1];
		expect(inner('options').length).toBeLessThanOrEqual(10);
		expect(inner('limits').map(({ displayName }) => displayName)).toEqual([
			'Allow Empty List',
			'Allowed Recipients',
			'Blocked Recipients',
			'Max per Day',
			'Max per Execution',
			'Max per Recipient per Day',
			'Max SMS Parts',
			'Mobile Numbers Only',
			'Sending Hours',
		]);
	});

	it('loses no limit in which nobody has entered anything, since n8n saves no defaults', () => {
		const { parameters, ...node } = chosen('sms/send');
		const save = (sendingHours: object) => {
			const values = { ...parameters, limits: { sendingHours } } as INode['parameters'];
			const all = [values, false, false, { ...node, parameters: values }, description] as const;
			return NodeHelpers.getNodeParameters(description.properties, ...all)?.limits;
		};
		expect(save({})).toEqual({ sendingHours: {} });
		const { properties } = operationsByName['sms/send']!;
		const limits = properties.find(({ name }) => name === 'limits')!;
		const hours = innerOf(limits)[1].find(({ name }) => name === 'sendingHours')!;
		expect(save(hours.default as object)).toEqual({ sendingHours: { window: {} } });
	});

	it('has visible hints about what cannot be guessed', () => {
		const hints = {
			'sms/send message': ['160 characters'],
			'bulkSms/send message': ['160 characters'],
			'mms/send contentUrl': ['400 KB'],
		};
		const missing = Object.entries(hints).filter(([wanted, words]) => {
			const entry = fields.find(({ name, path }) => `${name} ${path}` === wanted);
			return !words.every((word) => entry?.field.hint?.includes(word));
		});
		expect(missing).toEqual([]);
	});
});
