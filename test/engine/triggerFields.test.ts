import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, sampleEvent, sampleNames, type Json } from '../fixtures/events/index.ts';
import { useEmulator } from './emulator.ts';
import {
	createTrigger,
	registerTrigger,
	tokenOf,
	webhookId,
	type TriggerOptions,
} from './triggerNode.ts';

const service = useEmulator();
const allEvents = Object.keys(sampleNames);

const trigger = async (options: Partial<TriggerOptions> = {}) =>
	await createTrigger({ credentials: service.credentials, ...options });

const activated = async (options: Partial<TriggerOptions> = {}) =>
	await registerTrigger(service, options);

/** The filter that a trigger is registered with. */
const filterOf = async (filters: unknown, events: unknown = ['SMS_STATUS']) =>
	(await activated({ parameters: { events, filters } as never })).webhook.filter;

describe('the filter of a trigger', () => {
	it('names each event once, in one order', async () => {
		expect(await filterOf({}, ['SMS_STATUS', 'OPT_OUT', 'SMS_STATUS'])).toEqual({
			event_type: ['OPT_OUT', 'SMS_STATUS'],
		});
	});

	it.each([[[]], [null], [''], [['FAX']]])('needs an event: %j', async (events) => {
		await expect(filterOf({}, events)).rejects.toThrow("'Trigger On' is empty");
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		['one text with commas', '61491570006, 61491570156'],
		['a list with commas', [' 61491570006,61491570156 ', '']],
		['numbers', [61491570006, 61491570156]],
		['a list in a list, as an expression makes it', [['61491570006', '61491570156']]],
		['any spelling', ['+61 491 570 006', '61491570006', '(61) 491-570-156']],
	])('takes %s for senders', async (_, sender) => {
		expect((await filterOf({ sender }))?.sender).toEqual(['61491570006', '61491570156']);
	});

	it('leaves commas in message references: they may belong there', async () => {
		expect((await filterOf({ messageRef: 'Smith, Robin' }))?.message_ref).toEqual(['Smith, Robin']);
	});

	it.each([
		[
			{ sender: [{ number: '61491570006' }] },
			"'Filters > Sender' must be text, or a list of text values",
		],
		[{ status: ['LOST'] }, "'Filters > Status' has an unknown value at position 1"],
	])('refuses %j, which would let every event through', async (filters, message) => {
		await expect(filterOf(filters)).rejects.toThrow(message);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('what expressions deliver', () => {
	it.each<[unknown]>([['text'], [7], [true], [[]], [[{}]], [{ toString: 'text' }], [null]])(
		'never makes a delivery fail: %j',
		async (value) => {
			const { deliveryOf } = await activated({ parameters: { events: allEvents } });
			const delivery = deliveryOf(sampleEvent('smsInbound'));
			const parameters = { events: allEvents };
			const expected = await (await trigger({ parameters })).receive(delivery);
			const options = { outputs: value, rateLimit: value, downloadMedia: value === true };
			for (const odd of [{ filters: value, options: value }, { options }]) {
				const changed = { ...parameters, ...odd } as never;
				expect(await (await trigger({ parameters: changed })).receive(delivery)).toEqual(expected);
			}
		},
	);
});

describe('an output', () => {
	const outputs = ['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other'];
	const kinds = { INBOUND: 'Replies', OUT: 'Opt-Outs', STATUS: 'Delivery', HIT: 'Clicks' };

	const outputOf = async (event: Json) => {
		const options = { outputs: 'byEvent' };
		const { deliver } = await activated({ parameters: { events: allEvents, options } });
		const { outputs: taken } = await deliver(event);
		expect(taken.map((items) => items.length).sort()).toEqual([0, 0, 0, 0, 1]);
		return outputs[taken.findIndex((items) => items.length > 0)];
	};

	it.each(Object.entries(sampleNames))('is that of its kind for %s', async (type, sample) => {
		const kind = kinds[type.split('_').at(-1) as keyof typeof kinds];
		expect(await outputOf(sampleEvent(sample))).toBe(kind);
	});

	it.each(['FAX_INBOUND', {}, ['SMS_INBOUND'], null])('is Other for %j', async (type) => {
		expect(await outputOf(changed(sampleEvent('smsInbound'), 'event_type', type))).toBe('Other');
	});
});

describe('the name of a webhook', () => {
	const nameOf = async (node: string, webhook: 'test' | 'production' = 'production') =>
		(await activated({ settings: { name: node, webhookId }, webhook })).webhook.name!;

	it('says when it listens for a test', async () => {
		expect(await nameOf('Replies', 'test')).toBe('n8n: Engine test - Replies (test)');
	});

	it.each(['n'.repeat(300), '予約'.repeat(60), '👍🏽'.repeat(60)])(
		'has at most 100 bytes, cut between characters, and keeps both names: %s',
		async (node) => {
			const name = await nameOf(node);
			expect(name).toMatch(/^n8n: Engine test - .{10,}\.\.\.$/u);
			expect(Buffer.byteLength(name)).toBeLessThanOrEqual(100);
			expect(Buffer.from(name).toString()).toBe(name);
		},
	);
});

describe('a token', () => {
	it('is no other value whatever', async () => {
		const { trigger: active, webhook, deliveryOf } = await activated();
		const { body } = deliveryOf(sampleEvent('smsInbound'));
		await fc.assert(
			fc.asyncProperty(fc.anything(), async (token) => {
				fc.pre(token !== tokenOf(webhook.url));
				const { status } = await active.receive({ body, query: { token } });
				expect(status).toBe(401);
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['workflow', { workflowId: 'workflow-2' }],
		['node', { settings: { id: 'node-2', webhookId } }],
		['address', { settings: { webhookId: webhookId.replace('6f', '7f') } }],
	])('differs with the %s', async (_, options) => {
		const { trigger: first, webhook } = await activated();
		await first.deactivate();
		const { webhook: other } = await activated(options);
		expect(tokenOf(other.url)).toMatch(/^[\w-]{43}$/);
		expect(tokenOf(other.url)).not.toBe(tokenOf(webhook.url));
	});

	it.each<[string, Partial<TriggerOptions>]>([
		['behind a proxy', { publicUrl: 'https://example.com/automation/n8n' }],
		['without a webhook ID', { settings: { webhookId: undefined } }],
	])('is the same for a process that did not register it: %s', async (_, options) => {
		const { deliver } = await activated(options);
		const other = await trigger({ settings: options.settings });
		const answer = await deliver(sampleEvent('smsInbound'), other);
		expect(answer).toMatchObject({ status: 200, started: true });
	});

	it('is hidden where webhooks are put out', async () => {
		const { webhook } = await activated();
		const { json } = await service.run('webhook/get', {
			webhookId: { mode: 'id', value: webhook.id },
		});
		expect(json[0]?.url).toBe(webhook.url?.replace(/token=.*/, 'token=***'));
		const { json: all } = await service.run('webhook/getAll');
		expect(JSON.stringify(all)).not.toContain(tokenOf(webhook.url));
	});

	it('is hidden also as the signature of an open question: whoever has it can answer', async () => {
		const url = 'https://n8n.example.com/webhook-waiting/7/node?ask=a.b.c.d.e&signature=';
		const hook = { name: 'Question', eventTypes: ['SMS_INBOUND'] };
		const { json } = await service.run('webhook/create', { ...hook, url: url + '0f'.repeat(32) });
		expect(json[0]?.url).toBe(`${url}***`);
		const own = await service.run('webhook/create', { ...hook, url: `${url}mine` });
		expect(own.json[0]?.url).toBe(`${url}mine`);
	});

	it('is not taken back as it was hidden', async () => {
		const url = 'https://n8n.example.com/webhook/1/webhook?token=***';
		const hook = { name: 'Events', eventTypes: ['SMS_INBOUND'] };
		for (const hidden of [url, `${url}&a=1`]) {
			const { error } = await service.run('webhook/create', { ...hook, url: hidden });
			expect(error?.message).toBe("'URL' is missing its token, which is never shown");
		}
		expect(await service.control.webhooks()).toEqual([]);
	});
});
