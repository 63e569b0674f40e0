import type { INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import { exampleRuns } from '../helpers/exampleRuns.ts';
import type { Operation } from '../seams.ts';
import { startPlayground, type Playground } from './harness.ts';
import { kudosityType, manualTrigger, workflow } from './workflow.ts';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground();
});
beforeEach(async () => void (await playground.control.reset({ autoStatus: false })));
afterAll(async () => await playground.stop());

const run = async (name: string, parameters: object = {}) => {
	const [resource, operation] = name.split('/');
	const node = playground.kudosity({ resource, operation, ...parameters });
	const { status, nodes, error } = await playground.run([{}], node);
	const items = nodes.Kudosity?.items ?? [];
	return { status, error, json: items.map((item) => item.json) };
};

const message = { message: 'Your order is ready', sender: '61491570006', recipient: '61491573087' };
const bulk = {
	message: 'Closed today',
	sender: '61491570006',
	recipients: '61491573087, 61491574118',
};
const webhook = {
	name: 'Order events',
	url: 'https://example.com/events',
	eventTypes: ['SMS_STATUS'],
	filters: { sender: ['61491570006'], status: ['DELIVERED'] },
	options: { rateLimit: 5 },
};
const delivered = '5eeded00-0000-4000-8000-000000000001';
const unknown = '67e3e4af-62e8-4515-8b67-6f20d0c51ffb';
const byId = (value: string) => ({ webhookId: { __rl: true, mode: 'id', value } });

const createWebhook = async () => {
	const { json } = await run('webhook/create', webhook);
	return String(json[0]?.id);
};

type Refused = {
	parameters: object;
	message: string;
	/** What the service answers, if not what the fields make it answer. */
	status?: number;
};

type Case = {
	/** Runs the operation and checks what came out. */
	works(): Promise<void>;
	/** Fields that the operation or the service refuses, and what the user reads then. */
	refused: Refused;
};

const unknownRecord = 'Kudosity could not find this record';

const isEntered = ({ type }: INodeProperties) => type === 'string' || type === 'resourceLocator';

const refusalOf = (operation: Operation): Refused => {
	const required = operation.properties.find((field) => field.required && isEntered(field));
	const fields = exampleFields(operation);
	return required
		? {
				parameters: { ...fields, [required.name]: "={{ '' }}" },
				message: `'${required.displayName}' is empty`,
			}
		: { parameters: fields, status: 401, message: 'Kudosity did not accept the credential' };
};

/** What every operation promises, where nobody has written a case for it. */
const plainCase = (name: string): Case => ({
	works: async () => {
		const output = async (name: string, fields: object) => (await run(name, fields)).json;
		const records = [];
		for (const fields of await exampleRuns(name, output, playground.control)) {
			const { status, json } = await run(name, fields);
			expect(status).toBe('success');
			records.push(...json);
		}
		expect(records).not.toEqual([]);
	},
	refused: refusalOf(operationsByName[name]!),
});

/** It waits: a reply ends it. */
const questionCase = (channel: 'SMS' | 'RCS' | 'WHATSAPP', sender: string): Case => ({
	works: async () => {
		const operation = { resource: channel.toLowerCase(), operation: 'sendAndWait' };
		const question = playground.kudosity({ ...message, sender, ...operation });
		const { id } = await playground.save(
			workflow({ nodes: [manualTrigger(), question], items: [{}] }),
		);
		const executionId = await playground.rest.runWorkflow(id);
		await playground.rest.waitForExecution(executionId, { statuses: ['waiting'] });
		const reply = { channel, from: message.recipient, to: sender, text: 'Yes' };
		await playground.control.inbound(reply);
		const { nodes } = await playground.rest.waitForExecution(executionId);
		expect(nodes.Kudosity?.items[0]?.json).toMatchObject({ replied: true, text: 'Yes' });
	},
	refused: {
		parameters: { ...message, sender, recipient: 'Sam' },
		message: "'Recipient' is not a phone number",
	},
});

const cases: Record<string, Case> = {
	'sms/sendAndWait': questionCase('SMS', message.sender),
	'rcs/sendAndWait': questionCase('RCS', RCS_AGENT),
	'whatsapp/sendAndWait': questionCase('WHATSAPP', message.sender),
	'sms/send': {
		works: async () => {
			const { json } = await run('sms/send', message);
			expect(json).toMatchObject([{ recipient: '61491573087', sms_count: 1 }]);
			expect(await playground.control.messages()).toHaveLength(1);
		},
		refused: {
			parameters: { ...message, sender: '61491579760' },
			message: 'Kudosity does not accept the sender',
		},
	},
	'bulkSms/send': {
		works: async () => {
			const { json } = await run('bulkSms/send', bulk);
			expect(json).toMatchObject([{ message_id: expect.any(String), recipients: 2 }]);
		},
		refused: {
			parameters: { ...bulk, sender: '61491579760' },
			message: 'Kudosity does not accept the sender',
		},
	},
	'number/getAll': {
		works: async () => {
			await playground.control.settings({ numbersOwned: 230 });
			const { json } = await run('number/getAll', { returnAll: true });
			expect(new Set(json.map(({ number }) => number)).size).toBe(230);
			expect(await playground.control.requests()).toHaveLength(3);
		},
		refused: { parameters: { limit: 0 }, message: "'Limit' is not a whole number of at least 1" },
	},
	'list/getAll': {
		works: async () => {
			const { json } = await run('list/getAll', { limit: 2 });
			expect(json).toMatchObject([{ id: '4100001', name: 'Customers' }, { id: '4100002' }]);
		},
		refused: { parameters: { limit: -1 }, message: "'Limit' is not a whole number of at least 1" },
	},
	'rcs/get': {
		works: async () => {
			const { json } = await run('rcs/get', { messageId: delivered });
			expect(json).toMatchObject([{ id: delivered, status: 'DELIVERED' }]);
		},
		refused: { parameters: { messageId: unknown }, message: unknownRecord },
	},
	'rcs/getAll': {
		works: async () => {
			const [now, dayAgo] = [new Date(), new Date(Date.now() - 86_400_000)];
			const filters = { startDate: dayAgo.toISOString(), endDate: now.toISOString() };
			const { json } = await run('rcs/getAll', { returnAll: true, filters });
			expect(json).toHaveLength(5);
		},
		refused: {
			parameters: { filters: { dateRange: 'custom_date', startDate: '2026-01-01T00:00:00' } },
			message: "'Filters > End Date' is empty",
		},
	},
	'rcs/waitForStatus': {
		works: async () => {
			const { json } = await run('rcs/waitForStatus', { messageId: delivered });
			expect(json).toMatchObject([{ status: 'DELIVERED', timedOut: false }]);
		},
		refused: { parameters: { messageId: unknown }, message: unknownRecord },
	},
	'webhook/create': {
		works: async () => {
			const { json } = await run('webhook/create', webhook);
			expect(json).toMatchObject([{ name: 'Order events', rate_limit: 5 }]);
			expect(await playground.control.webhooks()).toHaveLength(1);
		},
		refused: {
			parameters: { ...webhook, url: 'http://example.com/events' },
			message: "'URL' is not a public https address",
		},
	},
	'webhook/get': {
		works: async () => {
			const id = await createWebhook();
			expect((await run('webhook/get', byId(id))).json).toMatchObject([{ id }]);
		},
		refused: { parameters: byId(unknown), message: unknownRecord },
	},
	'webhook/getAll': {
		works: async () => {
			const id = await createWebhook();
			expect((await run('webhook/getAll')).json).toMatchObject([{ id }]);
		},
		refused: { parameters: { limit: 1.5 }, message: "'Limit' is not a whole number of at least 1" },
	},
	'webhook/update': {
		works: async () => {
			const id = await createWebhook();
			const { json } = await run('webhook/update', { ...byId(id), name: 'Other name' });
			expect(json).toMatchObject([{ id, name: 'Other name', url: webhook.url, rate_limit: 5 }]);
		},
		refused: { parameters: { ...byId(unknown), name: 'Other name' }, message: unknownRecord },
	},
	'webhook/delete': {
		works: async () => {
			const id = await createWebhook();
			expect((await run('webhook/delete', byId(id))).json).toEqual([{ deleted: true, id }]);
			expect(await playground.control.webhooks()).toEqual([]);
		},
		refused: { parameters: byId(unknown), message: unknownRecord },
	},
};

const caseOf = (name: string) => cases[name] ?? plainCase(name);

describe.each(Object.keys(operationsByName))('%s in a real n8n', (name) => {
	it('works', async () => {
		await caseOf(name).works();
	});

	it('stops the workflow with a clear text when it is refused', async () => {
		const { parameters, message, status: answered } = caseOf(name).refused;
		// Not DELETE: the webhook of a question before may only be removed now.
		for (const method of answered ? ['GET', 'POST'] : []) {
			await playground.control.addFault({ fault: 'custom', status: answered, match: { method } });
		}
		const { status, error } = await run(name, parameters);

		expect(status).toBe('error');
		expect(error?.message).toContain(message);
	});
});

describe('the list of webhooks to choose from', () => {
	const search = async (filter: string) => {
		const { rest, credentials } = playground;
		return await rest.searchList({
			type: kudosityType,
			typeVersion: 1,
			method: 'searchWebhooks',
			parameter: 'webhookId',
			parameters: { resource: 'webhook', operation: 'get' },
			credentials: { kudosityKeyApi: credentials.key },
			filter,
		});
	};

	it('shows the webhooks of the account and finds them by name', async () => {
		const value = await createWebhook();
		const shown = { name: 'Order events – https://example.com/events', value };

		expect((await search('')).results).toMatchObject([shown]);
		expect((await search('ORDER')).results).toMatchObject([shown]);
		expect((await search('nobody')).results).toEqual([]);
	});
});
