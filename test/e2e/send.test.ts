import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, workflow } from './workflow.ts';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings: { autoStatus: false } });
});
beforeEach(async () => void (await playground.control.reset({ autoStatus: false })));
afterAll(async () => await playground.stop());

const sender = '61491570006';
const items = ['61491573087', '61491574118', '61491574632'].map((phone, index) => ({
	phone,
	text: `Message ${index + 1}`,
}));

const send = () =>
	playground.kudosity({
		resource: 'sms',
		operation: 'send',
		message: '={{ $json.text }}',
		sender,
		recipient: '={{ $json.phone }}',
		options: { messageRef: '=ref-{{ $json.phone }}', trackLinks: true },
	});

const sendBulk = () =>
	playground.kudosity({
		resource: 'bulkSms',
		operation: 'send',
		message: '={{ $json.text }}',
		recipients: '={{ $json.phone }}',
		sender,
		options: {},
	});

/** Both nodes get the items; n8n runs a node again that fails. */
const runBoth = async (): Promise<Execution> => {
	const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 };
	const nodes = [
		{ ...send(), ...retries, name: 'Key API' },
		{ ...sendBulk(), ...retries, name: 'Basic API' },
	];
	const main = [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))];
	const draft = workflow({
		nodes: [manualTrigger(), ...nodes],
		items,
		connections: { Start: { main } },
	});
	return await playground.rest.run((await playground.save(draft)).id);
};

const phones = items.map(({ phone }) => phone);
const pairs = items.map((_, item) => ({ item }));

it('reaches the service once for each item, exactly as filled in, and comes out paired', async () => {
	const { status, nodes } = await runBoth();

	expect(status).toBe('success');
	const [byKey, byBasic] = [nodes['Key API']?.items, nodes['Basic API']?.items];
	expect(byKey?.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
	expect(byKey?.map(({ json }) => json)).toMatchObject(
		items.map(({ phone, text }) => ({ recipient: phone, message: text, sms_count: 1 })),
	);
	expect(byBasic?.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
	for (const { json } of byBasic ?? []) {
		expect(json).toMatchObject({ message_id: expect.any(String), recipients: 1 });
		expect(json).not.toHaveProperty('error');
	}
	const requests = await playground.control.requests();
	expect(requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
		...items.map(({ phone, text }) => ({
			method: 'POST',
			path: '/v2/sms',
			body: {
				message: text,
				sender,
				recipient: phone,
				message_ref: `ref-${phone}`,
				track_links: true,
			},
		})),
		...items.map(({ phone, text }) => ({
			method: 'POST',
			path: '/send-sms.json',
			body: { message: text, to: phone, from: sender },
		})),
	]);
	const json = { accept: 'application/json' };
	expect(requests.map(({ headers }) => headers)).toMatchObject([
		...items.map(() => ({ ...json, 'content-type': 'application/json', 'x-api-key': '***' })),
		...items.map(() => ({
			...json,
			'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
			authorization: '***',
		})),
	]);
});

it('sends nothing twice when n8n runs a node again after a failure in the middle', async () => {
	for (const path of ['/v2/sms', '/send-sms.json']) {
		await playground.control.addFault({
			fault: 'status429',
			// Longer than the node waits for.
			retryAfter: 3600,
			match: { path, bodyIncludes: phones[1], count: 1 },
		});
	}
	const { status, nodes } = await runBoth();

	expect(status).toBe('success');
	expect(nodes['Key API']?.items).toHaveLength(3);
	expect(nodes['Basic API']?.items).toHaveLength(3);
	const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
	expect(recipients.sort()).toEqual([...phones, ...phones].sort());
	expect(await playground.control.requests({ status: 429 })).toHaveLength(2);
});

it('ends within a second when it is stopped', async () => {
	const startSending = async (count: number, text: string) => {
		const many = Array.from({ length: count }, (_, index) => ({
			phone: String(61491000000 + index),
			text,
		}));
		const draft = workflow({ nodes: [manualTrigger(), send()], items: many });
		return await playground.rest.runWorkflow((await playground.save(draft)).id);
	};
	const sent = async (text: string) => (await playground.control.messages({ text })).length;

	const stopped = await startSending(500, 'Stopped');
	await playground.control.waitForMessages({ text: 'Stopped' }, { count: 10 });
	await playground.rest.stopExecution(stopped);
	const before = await sent('Stopped');
	expect((await playground.rest.waitForExecution(stopped)).status).toBe('canceled');

	// Executions take turns: one that goes on would send as many as the next one meanwhile.
	const next = await startSending(28, 'Next');
	expect((await playground.rest.waitForExecution(next)).status).toBe('success');
	expect((await sent('Stopped')) - before).toBeLessThan(14);
});
