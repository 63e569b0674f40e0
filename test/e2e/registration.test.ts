/**
 * Triggers that n8n gives the same address, one whose address changes, and a service that fails while a
 * workflow is deactivated. When n8n calls which method of a trigger differs between versions, so that each
 * test runs in both.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { currentN8n, oldestN8n } from '../../playground/n8n/versions.ts';
import { until } from '../../playground/n8n/until.ts';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import { publish, once, receiveEvent, triggerWorkflow } from './triggerWorkflow.ts';
import { workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };
const events = ['OPT_OUT'];
const mixed = { events: ['OPT_OUT', 'SMS_STATUS'], options: { onlyFinalStatuses: true } };

describe.each([oldestN8n, currentN8n])('n8n %s', (version) => {
	let playground: Playground;
	let n8n: TestN8n;
	beforeAll(async () => {
		playground = await startPlayground({ ownN8n: { version }, settings });
		n8n = playground.n8n as TestN8n;
	});
	afterEach(async () => {
		await playground.control.clearFaults();
		for (const { id, active } of await playground.rest.listWorkflows()) {
			if (active) await playground.rest.deactivate(id);
		}
		await playground.control.reset(settings);
	});
	afterAll(async () => await playground.stop());

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

	it('refuses a second trigger with the same address in one workflow', async () => {
		const { webhookId } = triggerWorkflow(playground).nodes[0]!;
		const nodes = ['First', 'Second'].map((name) =>
			playground.kudosityTrigger({ events }, { name, webhookId, typeVersion: 1.1 }),
		);
		const both = await playground.save(workflow({ nodes, connections: {} }));
		await expect(playground.rest.activate(both.id)).rejects.toThrow(
			/Another Kudosity Trigger has the address|webhook|path/i,
		);
	});

	it('deactivates in the trouble of a moment, and leaves nothing', async () => {
		const nodes = ['First', 'Second'].map((name) =>
			playground.kudosityTrigger({ events }, { name, typeVersion: 1.1 }),
		);
		const { id } = await playground.save(workflow({ nodes, connections: {} }));
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

	it('has two webhooks for filtered statuses, and none afterwards', async () => {
		const { id } = await playground.save(triggerWorkflow(playground, mixed));
		await playground.rest.activate(id);
		const filters = (await playground.control.webhooks()).map(({ filter }) => filter?.event_type);
		expect(filters).toEqual([['OPT_OUT'], ['SMS_STATUS']]);
		expect(await receiveEvent(playground, id)).toEqual(once);
		await playground.rest.deactivate(id);
		expect(await playground.control.webhooks()).toEqual([]);
	});

	it('keeps its webhook through a restart without the variable of a filter', async () => {
		const open = { N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false' };
		await n8n.restart({ ...open, DESK_NUMBER: '61491570006' });
		const filters = { sender: ['={{ $env.DESK_NUMBER }}'] };
		const draft = triggerWorkflow(playground, { events, filters });
		const { id, webhook } = await publish(playground, draft);
		await n8n.restart(open);

		expect(await receiveEvent(playground, id)).toEqual(once);
		expect(await playground.control.webhooks()).toMatchObject([
			{ id: webhook.id, filter: webhook.filter },
		]);
		await playground.rest.deactivate(id);
		await expect(playground.rest.activate(id)).rejects.toThrow("'Filters > Sender' is empty");
		await n8n.restart();
	});

	it('has one webhook after the address of n8n was changed', async () => {
		const { id, webhook } = await publish(playground, triggerWorkflow(playground, { events }));
		const WEBHOOK_URL = n8n.url.replace('127.0.0.1', 'localhost');
		expect(WEBHOOK_URL).not.toBe(n8n.url);
		await n8n.restart({ WEBHOOK_URL, N8N_WEBHOOK_URL: WEBHOOK_URL });
		if (version === currentN8n) {
			// n8n 2 registers nothing when it starts.
			await playground.rest.deactivate(id);
			await playground.rest.activate(id);
		}
		const moved = await until({ what: 'the new address', timeoutMs: 30_000 }, async () => {
			const webhooks = await playground.control.webhooks();
			return webhooks.some(({ url }) => url.startsWith(WEBHOOK_URL)) ? webhooks : undefined;
		});
		expect(moved).toHaveLength(1);
		if (version === oldestN8n) expect(moved[0]?.id).toBe(webhook.id);
		expect(await receiveEvent(playground, id)).toEqual(once);
	});
});
