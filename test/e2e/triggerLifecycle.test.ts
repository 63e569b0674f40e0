import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestN8n } from './startN8n.ts';
import { startPlayground, type Playground } from './harness.ts';
import {
	executionIds,
	outputsOf,
	publish,
	once,
	receiveEvent,
	triggerWorkflow,
} from './triggerWorkflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };

let playground: Playground;
let n8n: TestN8n;
beforeAll(async () => {
	playground = await startPlayground({ ownN8n: {}, settings });
	n8n = playground.n8n as TestN8n;
});
afterEach(async () => {
	await playground.control.clearFaults();
	for (const { id, active } of await playground.rest.listWorkflows()) {
		if (active) await playground.rest.deactivate(id);
	}
	await useKey('playground-key');
	await playground.control.reset(settings);
});
afterAll(async () => await playground.stop());

const events = ['SMS_INBOUND', 'OPT_OUT'];
const draft = () => triggerWorkflow(playground, { events });

const writes = async () =>
	(await playground.control.requests({ path: '/v2/webhook' }))
		.filter(({ method }) => method !== 'GET')
		.map(({ method }) => method);

const receive = async (id: string) => await receiveEvent(playground, id);

const lastingFault = async (fault: 'reset' | 'status500') =>
	await playground.control.addFault({ fault, match: { path: '/v2/webhook', count: 'forever' } });

const rotateAtService = async (apiKey: string) => {
	const account = { id: 'playground', apiKey, apiSecret: 'playground-secret' };
	await playground.control.settings({ accounts: [account] });
};

/** Changes the key inside the credential, which n8n does not take for a change of the workflow. */
const useKey = async (apiKey: string) => {
	const { id, name } = playground.credentials.key;
	const data = { apiKey, baseUrl: playground.emulator.url };
	await playground.rest.updateCredential(id, { name, type: 'kudosityKeyApi', data });
};

const statusOf = async (url: string): Promise<number> => {
	const headers = { 'content-type': 'application/json' };
	return (await fetch(url, { method: 'POST', headers, body: '{"event_type":"NEW"}' })).status;
};

describe('the trigger in a real n8n', () => {
	it('activated: the service has one webhook, and its events start the workflow', async () => {
		const { id, webhook } = await publish(playground, draft());
		expect(await playground.control.webhooks()).toHaveLength(1);
		expect(webhook).toMatchObject({
			name: expect.stringMatching(/^n8n: Desk \w+ - Kudosity Trigger$/),
			filter: { event_type: ['OPT_OUT', 'SMS_INBOUND'] },
		});
		expect(await receive(id)).toEqual(once);
	});

	it('activated again without a change, and restarted: one write, and events go on arriving', async () => {
		const { id } = await publish(playground, draft());
		for (let time = 0; time < 4; time++) await playground.rest.activate(id);
		await n8n.restart();
		expect(await receive(id)).toEqual(once);
		const [executionId] = await executionIds(playground, id);
		const execution = await playground.rest.waitForExecution(executionId!);
		expect(outputsOf(execution)[0]?.[0]?.json.eventType).toBe('OPT_OUT');
		await playground.rest.activate(id);
		expect(await playground.control.webhooks()).toHaveLength(1);
		expect(await writes()).toEqual(['POST']);
	});

	it('deactivated: the webhook is gone, and a late delivery starts nothing', async () => {
		const { id, webhook } = await publish(playground, draft());
		await playground.rest.deactivate(id);
		expect(await playground.control.webhooks()).toEqual([]);
		expect(await statusOf(webhook.url)).toBe(404);
	});

	it('events changed: the one webhook has the new ones after publishing', async () => {
		const workflow = draft();
		const { id } = await publish(playground, workflow);
		const node = workflow.nodes[0]!;
		const changed = { ...node, parameters: { ...node.parameters, events: ['OPT_OUT'] } };
		await playground.rest.updateWorkflow(id, { ...workflow, nodes: [changed] });
		await playground.rest.activate(id);

		const webhooks = await playground.control.webhooks();
		expect(webhooks).toMatchObject([{ filter: { event_type: ['OPT_OUT'] } }]);
		expect(await receive(id)).toEqual(once);
	});

	it('workflow duplicated: each has its own webhook, and keeps it when the other one ends', async () => {
		const workflow = draft();
		const original = await publish(playground, workflow);
		// The editor gives the nodes of a copy an address of their own.
		const copied = { ...workflow.nodes[0]!, id: randomUUID(), webhookId: randomUUID() };
		const copy = await publish(playground, { ...workflow, name: 'Copy', nodes: [copied] });

		expect(await playground.control.webhooks()).toHaveLength(2);
		expect(await receive(original.id)).toEqual(once);

		await playground.rest.deactivate(original.id);
		expect(await playground.control.webhooks()).toMatchObject([{ id: copy.webhook.id }]);
		expect(await receive(copy.id)).toEqual(once);
		expect(await executionIds(playground, original.id)).toHaveLength(1);
		expect(await executionIds(playground, copy.id)).toHaveLength(2);
	});

	it('in trouble: an activation fails and says why, a deactivation ends, and the next activation puts it right', async () => {
		const { id, webhook } = await publish(playground, draft());
		const late = await playground.save(draft());
		const kudosityKeyApi = await playground.rest.createCredential({
			name: 'Real service',
			type: 'kudosityKeyApi',
			data: { apiKey: 'any', baseUrl: 'https://service.invalid' },
		});
		const credentials = { kudosityKeyApi: { id: kudosityKeyApi.id, name: kudosityKeyApi.name } };
		const unreachable = await playground.save(
			triggerWorkflow(playground, { events }, { credentials }),
		);
		await lastingFault('reset');
		// All at once, since n8n tries an activation for 15 s.
		await Promise.all([
			// n8n 1 shows the second sentence only.
			expect(playground.rest.activate(late.id)).rejects.toThrow(
				/Kudosity did not respond|The connection was lost/,
			),
			// From a service elsewhere, no event gets to this n8n.
			expect(playground.rest.activate(unreachable.id)).rejects.toThrow('N8N_WEBHOOK_URL'),
			playground.rest.deactivate(id),
		]);
		expect(n8n.current().logs()).toContain(webhook.id);
		expect(await statusOf(webhook.url)).toBe(404);

		await playground.control.clearFaults();
		await fetch(`${playground.emulator.url}/v2/webhook/${webhook.id}`, {
			method: 'PUT',
			headers: { 'x-api-key': 'playground-key', 'content-type': 'application/json' },
			body: JSON.stringify({ name: 'Changed', url: webhook.url }),
		});
		await playground.rest.activate(id);
		expect(await playground.control.webhooks()).toMatchObject([
			{ id: webhook.id, name: webhook.name, filter: webhook.filter },
		]);
		await playground.rest.activate(late.id);
		expect(await playground.control.webhooks()).toHaveLength(2);
		expect(await receive(id)).toEqual(once);
		expect(await receive(late.id)).toEqual(once);
	});

	it('key refused at deactivation: it ends, and the log names the webhook that is left', async () => {
		const { id, webhook } = await publish(playground, draft());
		await rotateAtService('rotated-key');
		await playground.rest.deactivate(id);
		expect(n8n.current().logs()).toContain(webhook.id);
		expect(await playground.control.webhooks()).toHaveLength(1);
	});

	it('restarted while the service is down: the webhook stays, and events arrive once it is back', async () => {
		const { id, webhook } = await publish(playground, draft());
		await lastingFault('status500');
		await n8n.restart();
		expect(await statusOf(webhook.url)).toBe(200);
		await playground.control.clearFaults();
		expect(await receive(id)).toEqual(once);
		expect(await writes()).toEqual(['POST']);
	});
});
