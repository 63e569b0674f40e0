/**
 * Triggers that n8n gives the same address, one whose address changes, and a service that fails while a
 * workflow is deactivated. When n8n calls which method of a trigger differs between its versions.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import {
	executionIds,
	once,
	outputsOf,
	publish,
	readAll,
	receiveEvent,
	triggerWorkflow,
} from './triggerWorkflow.ts';
import { workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };
const events = ['OPT_OUT'];
const mixed = { events: ['OPT_OUT', 'SMS_STATUS'], options: { onlyFinalStatuses: true } };
const open = { N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false' };
const deskNumber = { sender: ['={{ $env.DESK_NUMBER }}'] };

let playground: Playground;
let n8n: TestN8n;
beforeAll(async () => {
	const environment = { ...open, DESK_NUMBER: '61491570006' };
	playground = await startPlayground({ ownN8n: { environment } });
	n8n = playground.n8n as TestN8n;
});
beforeEach(async () => {
	await playground.control.clearFaults();
	await playground.deactivateAll();
	await playground.control.reset(settings);
});
afterAll(async () => await playground.stop());

/** Two triggers in one workflow. */
const saveBoth = async (changes: { webhookId?: string } = {}) => {
	const nodes = ['First', 'Second'].map((name) =>
		playground.kudosityTrigger({ events }, { name, typeVersion: 1.1, ...changes }),
	);
	return await playground.save(workflow({ nodes, connections: {} }));
};

describe('a trigger in a real n8n', () => {
	it('refuses a copy with the same address, and the original goes on', async () => {
		const original = triggerWorkflow(playground, { events });
		const { id } = await publish(playground, original);
		const before = await playground.control.webhooks();
		const node = { ...original.nodes[0]!, id: randomUUID() };
		const copy = await playground.save(workflow({ name: 'Copy', nodes: [node] }));
		await expect(playground.rest.activate(copy.id)).rejects.toThrow();

		expect(await playground.control.webhooks()).toEqual(before);
		expect(await receiveEvent(playground, id)).toEqual(once);
	});

	it('deactivates in the trouble of a moment, and leaves nothing', async () => {
		const { id } = await saveBoth();
		await playground.rest.activate(id);
		expect(await playground.control.webhooks()).toHaveLength(2);
		const urls = (await playground.control.webhooks()).map(({ url }) => url);
		// More often than a single request is repeated.
		const match = { path: '/v2/webhook', count: 4 };
		await playground.control.addFault({ match, fault: 'status500' });
		await playground.rest.deactivate(id);
		expect(await playground.control.webhooks()).toEqual([]);
		for (const url of urls) expect((await fetch(url, { method: 'POST' })).status).toBe(404);
	});

	it('deactivates in lasting trouble, names what is left, and takes it over', async () => {
		const { id, webhook } = await publish(playground, triggerWorkflow(playground, { events }));
		const match = { path: '/v2/webhook', count: 'forever' as const };
		await playground.control.addFault({ match, fault: 'status500' });
		await playground.rest.deactivate(id);
		expect(n8n.current().logs()).toContain(webhook.id);
		expect((await fetch(webhook.url, { method: 'POST' })).status).toBe(404);
		await playground.control.clearFaults();
		await playground.rest.activate(id);
		expect(await playground.control.webhooks()).toMatchObject([{ id: webhook.id }]);
		expect(await receiveEvent(playground, id)).toEqual(once);
	});

	it('filters statuses beside other events, and starts the workflow once for each', async () => {
		const { id } = await publish(playground, triggerWorkflow(playground, mixed));
		const { control } = playground;
		expect((await control.webhooks()).map(({ filter }) => filter)).toEqual([
			{ event_type: ['OPT_OUT', 'SMS_STATUS'] },
		]);
		for (const status of ['SENT', 'DELIVERED', 'FAILED']) {
			const overrides = { status: { status } };
			await control.emit({ event_type: 'SMS_STATUS', overrides, wait: true });
		}
		// n8n 1 answers a delivery before it has noted the execution.
		await until({ what: 'the executions of the statuses' }, async () => {
			const { length } = await executionIds(playground, id);
			return length >= 2 || undefined;
		});
		expect(await receiveEvent(playground, id)).toEqual(once);
		const executions = await readAll(playground, await executionIds(playground, id));
		const statuses = executions.map((each) => outputsOf(each)[0]?.[0]?.json.status);
		expect(statuses.sort()).toEqual(['DELIVERED', 'FAILED', undefined]);
	});

	it('keeps its webhook through a restart without the variable of a filter', async () => {
		const draft = triggerWorkflow(playground, { events, filters: deskNumber });
		const { id, webhook } = await publish(playground, draft);
		await n8n.restart({ DESK_NUMBER: undefined });

		expect(await receiveEvent(playground, id)).toEqual(once);
		expect(await playground.control.webhooks()).toMatchObject([
			{ id: webhook.id, filter: webhook.filter },
		]);
	});
});

// At the same time, since n8n 2 tries each for 15 seconds. The variable has been gone since the restart.
describe.concurrent('a trigger that n8n cannot activate', () => {
	it('says that a filter whose variable is missing is empty', async () => {
		const { id } = await playground.save(
			triggerWorkflow(playground, { events, filters: deskNumber }),
		);
		await expect(playground.rest.activate(id)).rejects.toThrow("'Filters > Sender' is empty");
	});

	it('says that another one of its workflow has the same address', async () => {
		const { id } = await saveBoth({ webhookId: randomUUID() });
		await expect(playground.rest.activate(id)).rejects.toThrow(
			/Another Kudosity Trigger has the address|webhook|path/i,
		);
	});
});

describe('a trigger whose n8n has moved', () => {
	it('has one webhook, at the new address', async () => {
		const { id, webhook } = await publish(playground, triggerWorkflow(playground, { events }));
		const WEBHOOK_URL = n8n.url.replace('127.0.0.1', 'localhost');
		expect(WEBHOOK_URL).not.toBe(n8n.url);
		await n8n.restart({ WEBHOOK_URL, N8N_WEBHOOK_URL: WEBHOOK_URL });
		if (isCurrent) {
			// n8n 2 registers nothing when it starts.
			await playground.rest.deactivate(id);
			await playground.rest.activate(id);
		}
		const moved = await until({ what: 'the new address' }, async () => {
			const webhooks = await playground.control.webhooks();
			return webhooks.some(({ url }) => url.startsWith(WEBHOOK_URL)) ? webhooks : undefined;
		});
		expect(moved).toHaveLength(1);
		if (!isCurrent) expect(moved[0]?.id).toBe(webhook.id);
		expect(await receiveEvent(playground, id)).toEqual(once);
	});
});
