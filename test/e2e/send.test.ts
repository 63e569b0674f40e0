import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, workflow } from './workflow.ts';

const refusedRecipient =
	"'Recipient' is not a phone number. Write it with + and its country code, e.g. +61 491 570 006. Spaces, hyphens, dots, slashes and brackets are fine";

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings: { autoStatus: false } });
});
beforeEach(async () => void (await playground.control.reset({ autoStatus: false })));
afterAll(async () => await playground.stop());

const items = ['61491573087', '61491574118', '61491574632'].map((phone, index) => ({
	phone,
	text: `Message ${index + 1}`,
}));

const send = (settings = {}) =>
	playground.kudosity(
		{
			resource: 'sms',
			operation: 'send',
			message: '={{ $json.text }}',
			sender: '61491570006',
			recipient: '={{ $json.phone }}',
			options: { messageRef: '=ref-{{ $json.phone }}', trackLinks: true },
		},
		settings,
	);

const sendBulk = (settings = {}) =>
	playground.kudosity(
		{
			resource: 'bulkSms',
			operation: 'send',
			message: '={{ $json.text }}',
			recipients: '={{ $json.phone }}',
			sender: '61491570006',
			options: {},
		},
		settings,
	);

const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 };
const pairs = items.map((_, item) => ({ item }));

describe('three items by the key API', () => {
	it('reach the service exactly as filled in, and come out paired', async () => {
		const { status, nodes } = await playground.run(items, send());

		expect(status).toBe('success');
		expect(nodes.Kudosity?.items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
		expect(nodes.Kudosity?.items.map(({ json }) => json)).toMatchObject(
			items.map(({ phone, text }) => ({ recipient: phone, message: text, sms_count: 1 })),
		);
		const requests = await playground.control.requests();
		expect(requests).toMatchObject(
			items.map(() => ({
				method: 'POST',
				path: '/v2/sms',
				accountId: 'playground',
				headers: {
					accept: 'application/json',
					'content-type': 'application/json',
					'x-api-key': '***',
				},
			})),
		);
		expect(requests.map(({ body }) => body)).toEqual(
			items.map(({ phone, text }) => ({
				message: text,
				sender: '61491570006',
				recipient: phone,
				message_ref: `ref-${phone}`,
				track_links: true,
			})),
		);
	});
});

describe('three items by the Basic API', () => {
	it('reach the service exactly as filled in, and come out paired', async () => {
		const { status, nodes } = await playground.run(items, sendBulk());

		expect(status).toBe('success');
		expect(nodes.Kudosity?.items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
		const requests = await playground.control.requests();
		expect(requests).toMatchObject(
			items.map(({ phone, text }) => ({
				method: 'POST',
				path: '/send-sms.json',
				accountId: 'playground',
				headers: { accept: 'application/json', authorization: '***' },
				body: { message: text, to: phone, from: '61491570006' },
			})),
		);
		for (const { headers } of requests) {
			expect(headers['content-type']).toContain('application/x-www-form-urlencoded');
		}
		for (const { json } of nodes.Kudosity?.items ?? []) {
			expect(json).toMatchObject({ message_id: expect.any(String), recipients: 1 });
			expect(json).not.toHaveProperty('error');
		}
	});
});

describe('Retry On Fail', () => {
	it.each([
		['key', send],
		['Basic', sendBulk],
	])('sends nothing twice after a success by the %s API', async (_, node) => {
		const { status } = await playground.run(items, node(retries));

		expect(status).toBe('success');
		expect(await playground.control.messages()).toHaveLength(3);
	});

	it.each([
		['key', send],
		['Basic', sendBulk],
	])('sends nothing twice after a failure in the middle by the %s API', async (_, node) => {
		await playground.control.addFault({
			fault: 'status429',
			// Longer than the node waits for.
			retryAfter: 3600,
			match: { bodyIncludes: '61491574118', count: 1 },
		});
		const { status, nodes } = await playground.run(items, node(retries));

		expect(status).toBe('success');
		expect(nodes.Kudosity?.items).toHaveLength(3);
		const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
		expect(recipients.sort()).toEqual(items.map(({ phone }) => phone));
	});

	const loseAnswer = async () =>
		await playground.control.addFault({
			fault: 'status500AfterAcceptance',
			match: { bodyIncludes: '61491574118' },
		});

	it('leaves a message alone of which nobody knows whether it was accepted', async () => {
		await loseAnswer();
		const { status, error } = await playground.run(items, sendBulk(retries));

		expect(status).toBe('error');
		expect(error?.message).toMatch(/^Outcome unknown: /);
		const recipients = (await playground.control.messages()).map(({ recipient }) => recipient);
		expect(new Set(recipients).size).toBe(recipients.length);
	});

	it('is not needed for a message that Kudosity has, although its answer was lost', async () => {
		await loseAnswer();
		const { status, nodes } = await playground.run(items, send(retries));

		expect(status).toBe('success');
		expect(nodes.Kudosity?.items.map(({ json }) => json.recipient)).toEqual(
			items.map(({ phone }) => phone),
		);
		expect(await playground.control.messages()).toHaveLength(items.length);
	});
});

describe('Continue On Fail', () => {
	const withBadItem = items.map((item, index) => (index === 1 ? { ...item, phone: 'Sam' } : item));

	it('lets the other items go on and pairs the refused one', async () => {
		const { nodes } = await playground.run(withBadItem, send({ onError: 'continueRegularOutput' }));

		expect(nodes.Kudosity?.items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
		expect(nodes.Kudosity?.items[1]?.json).toEqual({
			error: refusedRecipient,
			details: { code: 'invalid_number' },
		});
		expect(await playground.control.messages()).toHaveLength(2);
	});

	it('puts the refused item on the error output', async () => {
		const { nodes } = await playground.run(withBadItem, send({ onError: 'continueErrorOutput' }));

		expect(nodes.Kudosity?.outputs[0]).toHaveLength(2);
		expect(nodes.Kudosity?.outputs[1]?.map(({ json }) => json.error)).toEqual([refusedRecipient]);
	});

	it('sends nothing at all without it', async () => {
		const { status, error } = await playground.run(withBadItem, send());

		expect(status).toBe('error');
		expect(error?.message).toContain("'Recipient' is not a phone number");
		expect(await playground.control.messages()).toEqual([]);
	});
});

describe('Stop', () => {
	it('ends a long send within a second', async () => {
		const many = Array.from({ length: 500 }, (_, index) => ({
			phone: String(61491000000 + index),
			text: 'Hello',
		}));
		const { id } = await playground.save(
			workflow({ nodes: [manualTrigger(), send()], items: many }),
		);
		const executionId = await playground.rest.runWorkflow(id);
		await playground.control.waitForMessages({}, { count: 10 });
		await playground.rest.stopExecution(executionId);
		const stoppedAt = Date.now();
		await playground.rest.waitForExecution(executionId);

		// 14 a second: what began within the second after Stop is the most there can be.
		const late = (await playground.control.messages()).filter(
			({ at }) => new Date(at).getTime() > stoppedAt + 1000,
		);
		expect(late).toEqual([]);
		expect((await playground.rest.readExecution(executionId)).status).toBe('canceled');
	});
});
