import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { sampleEvent } from '../fixtures/events/index.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { eventTypes } from '../seams.ts';
import { startPlayground, type Playground } from './harness.ts';
import {
	allEvents,
	executionIds,
	outputsOf,
	publish as publishWorkflow,
	readAll,
	triggerName,
	triggerWorkflow,
} from './triggerWorkflow.ts';
import { noOperation, node, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
const published: string[] = [];
afterEach(async () => {
	for (const id of published.splice(0)) await playground.rest.deactivate(id);
	await playground.control.reset(settings);
});
afterAll(async () => await playground.stop());

const publish = async (draft: Workflow) => {
	const result = await publishWorkflow(playground, draft);
	published.push(result.id);
	return result;
};

const json = { 'content-type': 'application/json' };
const post = async (url: string, body: string | Buffer, headers: Record<string, string> = json) => {
	const { status } = await fetch(url, { method: 'POST', headers, body });
	return status;
};

describe('events of the service', () => {
	it('of every type start the workflow, parsed', async () => {
		const { id } = await publish(triggerWorkflow(playground));
		for (const event_type of eventTypes) {
			const { deliveries } = await playground.control.emit({ event_type, wait: true });
			expect(deliveries).toMatchObject([{ status: 200 }]);
		}
		const executions = await playground.rest.waitForExecutions(id, eventTypes.length);
		const items = executions.map((execution) => outputsOf(execution)[0]?.[0]?.json);
		expect(items.map((item) => item?.eventType).sort()).toEqual([...eventTypes].sort());
		for (const item of items) {
			expect(item).not.toHaveProperty('parseIssues');
			expect(item).toMatchObject({
				contact: '61491578888',
				timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
				webhookName: expect.stringMatching(/^n8n: Desk .* - Kudosity Trigger$/),
			});
		}
	});

	// In the current n8n, test/faults/events.test.ts has more of them.
	it.skipIf(isCurrent)(
		'arrive without loss when 100 come twice and out of order',
		{ timeout: 300_000 },
		async () => {
			const deliveryTimeoutMs = 60_000;
			await playground.control.settings({
				duplicateEvents: true,
				shuffle: true,
				deliveryTimeoutMs,
			});
			// n8n 1 answers before it stores: faster than its database can write, it loses what it has answered.
			const parameters = { simplify: false, options: { rateLimit: 6 } };
			const { id } = await publish(triggerWorkflow(playground, parameters));
			for (let batch = 0; batch < 4; batch++) {
				await playground.control.emit({ event_type: 'SMS_INBOUND', count: 25, wait: true });
			}
			const deliveries = await playground.control.deliveries({ eventType: 'SMS_INBOUND' });
			expect(deliveries.filter(({ ok }) => !ok)).toEqual([]);
			const sent = deliveries.map(({ payload }) => String(JSON.parse(payload).mo.id));
			expect(new Set(sent).size).toBe(100);

			// n8n 1 answers a delivery before it notes the execution, and takes its time when there are many.
			const waiting = { what: 'all executions', timeoutMs: 120_000, intervalMs: 500 };
			const ids = await until(waiting, async () => {
				const noted = await executionIds(playground, id);
				return noted.length >= deliveries.length ? noted : undefined;
			});
			const received = (await readAll(playground, ids)).map((execution) =>
				String((outputsOf(execution)[0]?.[0]?.json.mo as { id: string }).id),
			);
			expect(received.sort()).toEqual(sent.sort());
		},
	);

	it('bring the files of an MMS as binary data that the next node can read', async () => {
		const hash = node({
			name: 'Hash',
			type: 'n8n-nodes-base.crypto',
			parameters: {
				action: 'hash',
				type: 'SHA256',
				binaryData: true,
				binaryPropertyName: 'media0',
				dataPropertyName: 'hash',
			},
		});
		const trigger = playground.kudosityTrigger({ events: ['MMS_INBOUND'] });
		const { id } = await publish(workflow({ nodes: [trigger, hash] }));
		await playground.control.emit({ event_type: 'MMS_INBOUND', wait: true });
		const [execution] = await playground.rest.waitForExecutions(id, 1);
		const [delivery] = await playground.control.deliveries();
		const { content } = JSON.parse(delivery!.payload).mo.media[0];

		const picture = Buffer.from(content, 'base64');
		const item = outputsOf(execution!)[0]?.[0];
		expect(item?.json.media).toEqual([
			{ name: 'image-0.png', mimeType: 'image/png', size: picture.length, property: 'media0' },
		]);
		expect(item?.binary?.media0).toMatchObject({ mimeType: 'image/png', fileName: 'image-0.png' });
		expect(execution?.nodes.Hash?.items[0]?.json.hash).toBe(
			createHash('sha256').update(picture).digest('hex'),
		);
	});

	it('leave through the output of their kind', async () => {
		const trigger = playground.kudosityTrigger({
			events: allEvents,
			options: { outputs: 'byEvent' },
		});
		const names = ['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other'];
		const main = names.map((name) => [{ node: name, type: 'main', index: 0 }]);
		const { id, webhook } = await publish(
			workflow({
				nodes: [trigger, ...names.map(noOperation)],
				connections: { [triggerName]: { main } },
			}),
		);
		for (const event_type of ['SMS_INBOUND', 'OPT_OUT', 'SMS_STATUS', 'LINK_HIT'] as const) {
			await playground.control.emit({ event_type, wait: true });
		}
		await post(webhook.url, JSON.stringify({ event_type: 'FAX_INBOUND' }));

		const executions = await playground.rest.waitForExecutions(id, 5);
		const reached = executions.map(({ nodes }) =>
			names.filter((name) => (nodes[name]?.items.length ?? 0) > 0),
		);
		expect(reached.sort()).toEqual(names.map((name) => [name]).sort());
	});
});

describe('a delivery that nobody asked for', () => {
	const start = async () => await publish(triggerWorkflow(playground, { events: ['SMS_INBOUND'] }));
	const sample = sampleEvent('smsInboundWithoutLastMessage') as { mo: object };
	const event = JSON.stringify(sample);

	/** Since n8n 1 answers before it notes an execution, an event that is wanted comes last. */
	const textsAfterLast = async ({ id, webhook }: Awaited<ReturnType<typeof start>>) => {
		const mo = { ...sample.mo, message: 'Last' };
		const last = JSON.stringify({ ...sample, webhook_id: webhook.id, mo });
		expect(await post(webhook.url, last)).toBe(200);
		return await until({ what: 'the last event' }, async () => {
			const executions = await readAll(playground, await executionIds(playground, id));
			const texts = executions.map((each) => outputsOf(each)[0]?.[0]?.json.text);
			return texts.includes('Last') ? texts : undefined;
		});
	};

	it('starts nothing without the right token, or when it is not subscribed', async () => {
		const trigger = await start();
		const { url, id: webhookId } = trigger.webhook;
		const [bare, token = ''] = url.split('?token=');
		const own = JSON.stringify({ ...sample, webhook_id: webhookId });
		const forged = ['', '?token=', '?token=guess', `?token=${token}x`, `?token=${token}&token=x`];
		for (const query of forged) expect(await post(`${bare}${query}`, own)).toBe(401);
		for (const event_type of eventTypes.filter((type) => type !== 'SMS_INBOUND')) {
			const emission = { event_type, to: webhookId, wait: true };
			const { deliveries } = await playground.control.emit(emission);
			expect(deliveries).toMatchObject([{ status: 200 }]);
		}
		expect(await textsAfterLast(trigger)).toEqual(['Last']);
	});

	it('is answered at once when it is no event', async () => {
		const trigger = await start();
		const { url } = trigger.webhook;
		expect((await fetch(url)).status).toBe(404);
		expect((await fetch(url, { method: 'PUT', headers: json, body: event })).status).toBe(404);
		expect(await post(url, '')).toBe(400);
		expect(await post(url, '{}')).toBe(400);
		expect(await post(url, `[${event}]`)).toBe(400);
		expect(await post(url, '"STOP"')).toBe(400);
		expect(await post(url, 'null')).toBe(400);
		expect(await post(url, '{"event_type":')).toBe(422);
		expect(await post(url, 'hello', { 'content-type': 'text/plain' })).toBe(400);
		expect(await post(url, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(
			400,
		);
		expect(await post(url, gzipSync('no json'), { ...json, 'content-encoding': 'gzip' })).toBe(422);
		// n8n itself refuses what is above its limit, before the node sees it.
		expect(await post(url, `{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`)).toBeGreaterThan(399);
		expect(await textsAfterLast(trigger)).toEqual(['Last']);
	});

	it('does not keep n8n from reading the next event, packed or declared otherwise', async () => {
		const { id, webhook } = await start();
		const own = JSON.stringify({ ...JSON.parse(event), webhook_id: webhook.id });
		expect(await post(webhook.url, gzipSync(own), { ...json, 'content-encoding': 'gzip' })).toBe(
			200,
		);
		const types = [
			'text/plain',
			'application/octet-stream',
			'application/vnd.x+json',
			'application/json ; charset=utf-8',
		];
		for (const type of types) {
			expect(await post(webhook.url, own, { 'content-type': type })).toBe(200);
		}
		const executions = await playground.rest.waitForExecutions(id, 1 + types.length);
		for (const execution of executions) {
			expect(outputsOf(execution)[0]?.[0]?.json).toMatchObject({ text: 'Is anybody there?' });
		}
	});

	it('is kept whole up to the size that n8n takes', async () => {
		const { id, webhook } = await start();
		const { mo, ...envelope } = JSON.parse(event);
		const big = { ...envelope, webhook_id: webhook.id, mo: { ...mo, message: 'x'.repeat(4e6) } };
		expect(await post(webhook.url, JSON.stringify(big))).toBe(200);
		const [execution] = await playground.rest.waitForExecutions(id, 1);
		expect(String(outputsOf(execution!)[0]?.[0]?.json.text)).toHaveLength(4e6);
	});

	it('does no harm when it is deeply nested', async () => {
		const { id, webhook } = await start();
		const deep = `{"event_type":"NEW","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
		expect(await post(webhook.url, deep)).toBe(200);
		const [execution] = await playground.rest.waitForExecutions(id, 1);
		expect(execution?.status).toBe('success');
		expect(outputsOf(execution!)[0]?.[0]?.json.parseIssues).toHaveLength(2);
	});
});

describe('Listen for test event', () => {
	it('works beside the published workflow, and leaves no webhook behind', async () => {
		const { id, webhook } = await publish(triggerWorkflow(playground, { events: ['SMS_INBOUND'] }));
		await playground.rest.listenForTestEvent(id);
		const names = (await playground.control.webhooks()).map(({ name }) => name);
		expect(names).toEqual([webhook.name, `${webhook.name} (test)`]);

		const { deliveries } = await playground.control.emit({ event_type: 'SMS_INBOUND', wait: true });
		expect(deliveries.map(({ status }) => status)).toEqual([200, 200]);
		const executions = await playground.rest.waitForExecutions(id, 2);
		expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
		for (const execution of executions) {
			expect(outputsOf(execution)[0]?.[0]?.json.eventType).toBe('SMS_INBOUND');
		}
		await playground.control.waitForWebhooks({}, { count: 1 });
		await playground.control.waitForRequests({ method: 'DELETE', path: '/v2/webhook' });
		expect(await playground.control.webhooks()).toMatchObject([{ id: webhook.id }]);
	});

	it('can be stopped', async () => {
		const { id } = await playground.save(triggerWorkflow(playground));
		await playground.rest.listenForTestEvent(id);
		expect(await playground.control.webhooks()).toHaveLength(1);
		await playground.rest.stopListening(id);
		await playground.control.waitForRequests({ method: 'DELETE', path: '/v2/webhook' });
		expect(await playground.control.webhooks()).toEqual([]);
	});

	it('survives that the service goes away before the test webhook is removed', async () => {
		const { id } = await playground.save(triggerWorkflow(playground, { events: ['OPT_OUT'] }));
		await playground.rest.listenForTestEvent(id);
		await playground.control.addFault({
			fault: 'status500',
			match: { method: 'DELETE', count: 'forever' },
		});
		await playground.control.emit({ event_type: 'OPT_OUT', wait: true });
		await playground.rest.waitForExecutions(id, 1);
		await playground.control.waitForRequests({ method: 'DELETE' }, { count: 3 });
		await playground.control.clearFaults();

		await playground.rest.listenForTestEvent(id);
		expect(await playground.control.webhooks()).toHaveLength(1);
		await playground.rest.stopListening(id);
		await playground.control.waitForRequests({ method: 'DELETE', status: 200 });
		expect(await playground.control.webhooks()).toEqual([]);
	});
});
