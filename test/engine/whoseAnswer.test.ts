import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { sampleEvent } from '../fixtures/events/index.ts';
import type { Process } from './engineModules.ts';
import { passTime, useRealPauses } from './pauses.ts';
import { registerTrigger } from './triggerNode.ts';
import { useWaitingN8n, type Waiting } from './waitingN8n.ts';

type Fields = Record<string, unknown>;

const n8n = useWaitingN8n();
const { service, reply, delivered } = n8n;

const sender = '61491570156';
const contact = '61491573770';
const whatsappSender = '61491570006';
const approval = { responseType: 'approval' };

const emit = async (mo: object) =>
	await service.control.emit({
		event_type: 'SMS_INBOUND',
		overrides: { mo: { sender: contact, recipient: sender, ...mo } },
	});

const lists = { method: 'GET', path: '/v2/webhook' };

/** Holds the next request for the webhooks, and lets time pass for whoever waits for its response. */
const holdLists = async (ms: number, receive: () => Promise<unknown>): Promise<void> => {
	await service.fault('held', lists);
	await receive();
	await service.control.waitForRequests({ fault: 'held' });
	passTime(ms);
	// Another request takes long enough for a node to act on the time that has passed.
	await service.control.requests();
};
// A request that is still held would keep the next test waiting.
afterEach(async () => void (await service.control.clearFaults()));

describe('a reply, while the webhooks of the account cannot be read', () => {
	it('counts after five seconds where it quotes no message', async () => {
		const question = await n8n.ask(approval);
		await holdLists(4_900, async () => await emit({ message: 'Yes', last_message: null }));
		expect(question.output()).toBeUndefined();
		passTime(100);

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it('is delivered again where it quotes a newer question, and does not count for the older one', async () => {
		const older = await n8n.ask(approval);
		await n8n.ask(approval);
		const [, sent] = await service.control.messages();
		await service.fault('status403', { path: '/v2/webhook', method: 'GET', count: 'forever' });
		const { deliveries } = await service.control.emit({
			event_type: 'SMS_INBOUND',
			overrides: {
				mo: {
					sender: contact,
					recipient: sender,
					message: 'Yes',
					last_message: { message_ref: sent?.message_ref },
				},
			},
			to: String(older.parked.webhookId),
			wait: true,
		});

		expect(deliveries).toMatchObject([{ status: 503 }]);
		expect(older.output()).toBeUndefined();
	});

	it('goes to the only question all the same, although another message was sent after it', async () => {
		await service.control.settings({ retryDelaysMs: [100] });
		const question = await n8n.ask(approval);
		await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
		await holdLists(5_000, async () => await reply('Yes'));

		expect((await question.resumed).json).toMatchObject({ approved: true });
		await delivered(2);
		expect(n8n.answers()).toEqual([503, 200]);
	});

	it('ends the question at once where it is an opt-out', async () => {
		const question = await n8n.ask(approval);
		await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
		await service.fault('status403', { path: '/v2/webhook', method: 'GET', count: 'forever' });
		await reply('Unsubscribe');

		expect((await question.resumed).json).toMatchObject({ optedOut: true });
	});
});

describe('of several questions to one person on one number', () => {
	it('a newer one by RCS gets the SMS that answers its fallback, and the older one does not', async () => {
		const older = await n8n.ask(approval);
		const fallback = { smsFallbackMessage: 'Yes or no?', smsFallbackSender: sender };
		const newer = await n8n.ask(
			{ ...approval, sender: RCS_AGENT, options: fallback },
			{},
			'rcs/sendAndWait',
		);
		await emit({ message: 'Yes', last_message: null });
		expect((await newer.resumed).json).toMatchObject({ approved: true });
		await delivered(2);

		expect(older.output()).toBeUndefined();
	});

	it('a newer one by SMS gets it, and the older one by RCS, whose fallback it could be, does not', async () => {
		const fallback = { smsFallbackMessage: 'Yes or no?', smsFallbackSender: sender };
		const older = await n8n.ask(
			{ ...approval, sender: RCS_AGENT, options: fallback },
			{},
			'rcs/sendAndWait',
		);
		const newer = await n8n.ask(approval);
		await emit({ message: 'Yes', last_message: null });
		expect((await newer.resumed).json).toMatchObject({ approved: true });
		await delivered(2);

		expect(older.output()).toBeUndefined();
	});

	it.each([-1, 1])(
		'the one asked last gets it, although the clocks of their n8ns differ by %i hour',
		async (hours) => {
			// So that the other process has just read which questions are open.
			await n8n.ask({ recipient: '61491571266' }, { process: 'second' });
			const older = await n8n.ask(approval);
			// The service goes on with its own clock.
			vi.setSystemTime(Date.now() + hours * 3_600_000);
			await service.control.settings({ clockAheadMs: -hours * 3_600_000 });
			const newer = await n8n.ask(approval, { process: 'second' });
			vi.setSystemTime(Date.now() - hours * 3_600_000);
			await service.control.settings({ clockAheadMs: 0 });
			n8n.passTime(1_000);
			await emit({ message: 'Yes', last_message: null });
			expect((await Promise.race([older.resumed, newer.resumed])).json).toMatchObject({
				webhookId: newer.parked.webhookId,
			});
			await delivered(3);

			expect(older.output()).toBeUndefined();
		},
	);

	it('a newer one by RCS without a fallback leaves the SMS to the older one', async () => {
		const older = await n8n.ask(approval);
		await n8n.ask({ ...approval, sender: RCS_AGENT }, {}, 'rcs/sendAndWait');
		await emit({ message: 'Yes', last_message: null });

		expect((await older.resumed).json).toMatchObject({ approved: true });
	});

	it('a newer one by SMS leaves what comes by WhatsApp to the older one', async () => {
		const older = await n8n.ask(
			{ ...approval, sender: whatsappSender, contentType: 'text' },
			{},
			'whatsapp/sendAndWait',
		);
		await n8n.ask({ ...approval, sender: whatsappSender });
		const written = { from: contact, to: whatsappSender, text: 'Yes' };
		await service.control.inbound({ ...written, channel: 'WHATSAPP' });

		expect((await older.resumed).json).toMatchObject({ approved: true });
	});
});

let test = 0;
beforeEach(() => void (test += 1));

/** Sent to `sender`, and quotes nothing. The same `id` in another test is another message. */
const message = (id: string, text: string, { event = 'smsInbound', aheadMs = 0, ...mo } = {}) => ({
	...sampleEvent(event),
	timestamp: new Date(Date.now() + aheadMs).toISOString(),
	mo: {
		...(sampleEvent(event).mo as object),
		...{
			id: `${id}-${test}`,
			sender: contact,
			recipient: sender,
			message: text,
			last_message: null,
		},
		...mo,
	},
});

/** To one question, also a second time or late. */
const deliver = async ({ parked }: Pick<Waiting, 'parked'>, event: object) => {
	const to = String(parked.webhookId);
	await service.control.emit({ raw: { ...event, webhook_id: to }, to, wait: true });
};

/** What quotes this message. */
const quoting = ({ message_ref }: { message_ref?: string | null } = {}): Fields => {
	const { last_message } = sampleEvent('smsInbound').mo as { last_message: object };
	return { last_message: { ...last_message, message_ref } };
};

const webhookOf = async ({ parked }: Waiting) =>
	(await service.control.webhooks()).find(({ id }) => id === parked.webhookId);

const keepOrCancel = { responseType: 'choice', choices: ['Keep', 'Cancel'] };
const updates = { method: 'PUT', path: '/v2/webhook' };

/** The account shows how a question ended. */
const noted = async (word = 'answered', count = 1) =>
	await service.control.waitForRequests(
		{ ...updates, status: 200, bodyIncludes: `(question ${word} ` },
		{ count },
	);

describe('a reply that a question took', () => {
	useRealPauses();

	const askTwice = async (older: Fields = approval, newer: Fields = approval) => ({
		older: await n8n.ask(older),
		newer: await n8n.ask(newer),
	});

	it.each([0, 10 * 60_000, -10 * 60_000])(
		'is left alone by an older one when it comes late, after n8n was restarted; its clock is %i ms behind',
		async (aheadMs) => {
			await service.control.settings({ clockAheadMs: aheadMs });
			const { older, newer } = await askTwice();
			const reply = message('mo-1', 'Yes', { aheadMs });
			await deliver(newer, reply);
			await noted();
			n8n.restart();
			n8n.passTime(9 * 60_000);
			await n8n.ask({ recipient: '61491571266' });
			await deliver(older, reply);
			expect(older.output()).toBeUndefined();

			await deliver(older, message('mo-2', 'No', { aheadMs }));
			expect((await older.resumed).json).toMatchObject({ approved: false });
			// The next sweep.
			n8n.passTime(2 * 3_600_000);
			await n8n.ask();
			expect(await webhookOf(newer)).toBeUndefined();
		},
	);

	it('is left alone by a newer one that did not know of the older one, after n8n was restarted', async () => {
		const { older, newer } = await askTwice();
		await service.fault('status403', { ...lists, exact: true });
		await deliver(older, message('mo-1', 'Yes'));
		await noted();
		n8n.restart();
		await deliver(newer, message('mo-1', 'Yes'));
		expect(newer.output()).toBeUndefined();

		await deliver(newer, message('mo-2', 'No'));
		expect((await newer.resumed).json).toMatchObject({ approved: false });
	});

	it.each([
		[
			'ends the older one, too, although it could answer that',
			keepOrCancel,
			approval,
			'ended',
			true,
		],
		[
			'leaves the older one open where it answered the newer',
			approval,
			keepOrCancel,
			'answered',
			false,
		],
	])('and that says CANCEL, %s', async (_, older, newer, word, ends) => {
		const asked = await askTwice(older, newer);
		await deliver(asked.newer, message('mo-1', 'Cancel'));
		await noted(word);
		n8n.restart();
		await deliver(asked.older, message('mo-1', 'Cancel'));

		expect(asked.older.output()?.json.optedOut ?? false).toBe(ends);
	});

	it('is noted at its webhook, which then hears nothing and counts for no other question', async () => {
		const { older, newer } = await askTwice();
		await deliver(newer, message('mo-1', 'Yes'));
		await noted();
		const webhook = await webhookOf(newer);
		expect(webhook?.name).toMatch(
			/^n8n: Engine test - Kudosity \(question answered [\d-]{10} [\d:]{5} UTC\)$/,
		);
		expect(JSON.stringify(webhook)).not.toContain('mo-1');
		await reply('No');
		expect((await older.resumed).json).toMatchObject({ approved: false });
		expect(await service.control.deliveries({ webhookId: webhook!.id })).toHaveLength(1);

		await noted('answered', 2);
		n8n.restart();
		n8n.passTime(10_000);
		expect((await webhookOf(await n8n.ask()))?.name).toMatch(/until [\d-]{10} [\d:]{5} UTC\)$/);
	});

	it('is left alone by an older one when it comes late, although somebody renamed the webhooks', async () => {
		const { older, newer } = await askTwice();
		const rename = async ({ parked }: Waiting) =>
			await service.run('webhook/update', { webhookId: parked.webhookId, name: 'My webhook' });
		await rename(older);
		await rename(newer);
		await deliver(newer, message('mo-1', 'Yes'));
		await noted();
		await rename(newer);
		n8n.restart();
		await deliver(older, message('mo-1', 'Yes'));
		expect(older.output()).toBeUndefined();

		await deliver(older, message('mo-2', 'No'));
		expect((await older.resumed).json).toMatchObject({ approved: false });
	});

	it.each<[string, Fields, unknown[]]>([
		['the one sent last where the service says so', {}, [true, undefined]],
		['the one asked last where nothing is quoted', { last_message: null }, [undefined, true]],
	])('belongs, of two that were sent in another order, to %s', async (_, quote, expected) => {
		await service.fault('slow', { method: 'POST', path: '/v2/sms' }, { delayMs: 1_000 });
		const asking = n8n.run({ ...approval, message: 'First?' });
		await service.control.waitForRequests({ method: 'POST', path: '/v2/sms' });
		const last = n8n.park(await n8n.run(approval, { process: 'second' }), ['second']);
		const first = n8n.park(await asking, ['first']);
		const [sent] = await service.control.waitForMessages({ text: 'First?' });
		const event = message('mo-1', 'Yes', { ...quoting(sent), ...quote });
		for (const question of [first, last]) await deliver(question, event);

		expect([first, last].map((each) => each.output()?.json.approved)).toEqual(expected);
	});
});

describe('a question that is answered', () => {
	it('costs one update more, and is forgotten after ten minutes', async () => {
		const begun = performance.now();
		await n8n.ask();
		await reply('Fine');
		await n8n.webhooksLeft(0);

		expect(performance.now() - begun).toBeGreaterThan(600_000);
		// What a test before has left behind finds nothing.
		const requests = (await service.control.requests()).filter(({ status }) => status !== 404);
		expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'PUT', 'DELETE']);
	});

	it('loses its webhook within seconds where that cannot be noted', async () => {
		const begun = performance.now();
		await service.fault('status403', updates);
		await n8n.ask();
		await reply('Fine');
		await n8n.webhooksLeft(0);

		expect(performance.now() - begun).toBeLessThan(60_000);
	});

	it('leaves the next reply to an older one of another process, also where that cannot be noted', async () => {
		const older = n8n.park(await n8n.run(approval, { process: 'second' }), ['second']);
		n8n.passTime(10_000);
		const newer = await n8n.ask(approval);
		await service.fault('status403', updates);
		await deliver(newer, message('mo-1', 'Yes'));
		await n8n.webhooksLeft(1);
		await deliver(older, message('mo-2', 'No'));

		expect(older.output()?.json).toMatchObject({ approved: false });
	});
});

describe('a trigger that skips answers to questions', () => {
	const events = ['SMS_INBOUND', 'WHATSAPP_INBOUND'];
	const start = async (
		options: IDataObject = { skipQuestionAnswers: true },
		process: Process = 'first',
	) => {
		const parameters = { events, options };
		const { deliver } = await registerTrigger(service, { parameters, process });
		return async (event: object) => (await deliver({ ...event })).started;
	};

	describe('of what a question took', () => {
		useRealPauses();

		it('starts nothing, and asks nobody in the process of the question', async () => {
			const starts = await start();
			const question = await n8n.ask(approval);
			await deliver(question, message('mo-1', 'Yes'));
			const before = (await service.control.requests(lists)).length;
			expect(await starts(message('mo-1', 'Yes'))).toBe(false);
			expect(await service.control.requests(lists)).toHaveLength(before);
		});

		it('starts nothing where it hears it before the question does', async () => {
			const starts = await start();
			const question = await n8n.ask(approval);
			const starting = starts(message('mo-1', 'Yes'));
			const begun = performance.now();
			await deliver(question, message('mo-1', 'Yes'));
			expect(await starting).toBe(false);
			expect(performance.now() - begun).toBeLessThan(4_000);
		});

		it.each([
			['an answer', 'Yes', false],
			['an opt-out, which everybody has to hear', 'Stop', true],
		])('in another process starts what it should: %s', async (_, text, isStarted) => {
			const starts = await start();
			const question = await n8n.ask(approval);
			await deliver(question, message('mo-1', text));
			await noted(isStarted ? 'ended' : 'answered');
			n8n.restart();
			expect(await starts(message('mo-1', text))).toBe(isStarted);
		});

		it.each([
			[5_000, 'starts nothing', false],
			[4_000, 'may not know the question yet', true],
		])('in another process, %i ms after it was asked, %s', async (ms, _, isStarted) => {
			const starts = await start(undefined, 'second');
			expect(await starts(message('mo-1', 'Hello'))).toBe(true);
			const question = await n8n.ask(approval);
			n8n.passTime(ms);
			await deliver(question, message('mo-2', 'Yes'));
			await noted();
			expect(await starts(message('mo-2', 'Yes'))).toBe(isStarted);
		});

		it('starts nothing where it hears it before a question of another process does', async () => {
			const starts = await start();
			n8n.passTime(10_000);
			const question = await n8n.ask(approval);
			const starting = starts(message('mo-1', 'Yes'));
			await service.control.waitForRequests(lists, { count: 2 });
			n8n.restart();
			await deliver(question, message('mo-1', 'Yes'));
			await noted();
			passTime(5_000);
			expect(await starting).toBe(false);
		});
	});

	describe('starts', () => {
		const stop = async () =>
			n8n.cancel(await n8n.ask({ ...approval, waitAmount: 30, waitUnit: 'days' }));
		const whatsapp = { sender: whatsappSender, contentType: 'text' };

		it.each<[string, () => Promise<unknown>, string, Fields?]>([
			['what fits no question', async () => await n8n.ask(approval), 'What does it cost?'],
			['what is for a question that was stopped', stop, 'Yes'],
			[
				'what is for a question that perhaps was not sent',
				async () => {
					await service.fault('status500AfterAcceptance', { path: '/v2/sms', method: 'POST' });
					await n8n.run({ options: { onOutcomeUnknown: 'fail' } });
				},
				'Yes',
			],
			[
				'a reaction',
				async () => await n8n.ask(whatsapp, {}, 'whatsapp/sendAndWait'),
				'',
				{ event: 'whatsappInboundReaction', recipient: whatsappSender },
			],
		])('%s, once the question had its time', async (_, ask, text, fields = {}) => {
			const starts = await start();
			await ask();
			const [, question] = await service.control.webhooks();
			const event = message('mo-1', text, fields);
			await deliver({ parked: { webhookId: question?.id ?? '' } }, event);
			const begun = performance.now();

			expect(await starts(event)).toBe(true);
			expect(performance.now() - begun).toBeGreaterThan(4_999);
			expect(performance.now() - begun).toBeLessThan(7_001);
		});

		it.each<[string, Fields, Fields]>([
			['whoever was not asked', {}, { sender: '61491571266' }],
			['whoever writes to another number', {}, { recipient: '61491570157' }],
			['what quotes another message', { matchBy: 'thisMessage' }, { last_message: null }],
		])('%s at once', async (_, options, fields) => {
			const starts = await start();
			await n8n.ask({ ...approval, options });
			const begun = performance.now();

			expect(await starts(message('mo-1', 'Yes', fields))).toBe(true);
			expect(performance.now() - begun).toBeLessThan(4_999);
		});

		it('what a question may take where the webhooks cannot be read', async () => {
			const starts = await start();
			await n8n.ask(approval);
			n8n.passTime(10_000);
			await service.fault('status403', lists);

			expect(await starts(message('mo-1', 'Yes'))).toBe(true);
		});

		it('what a question may take, after seven seconds where the webhooks come late', async () => {
			const starts = await start();
			await n8n.ask(approval);
			n8n.passTime(10_000);
			let isStarted: boolean | undefined;
			const receive = async () =>
				void starts(message('mo-1', 'Yes')).then((result) => (isStarted = result));
			await holdLists(6_900, receive);
			expect(isStarted).toBeUndefined();
			passTime(100);

			await vi.waitUntil(() => isStarted !== undefined);
			expect(isStarted).toBe(true);
		});
	});

	it.each([
		['one in five seconds', { skipQuestionAnswers: true }, undefined, 1],
		['one in five seconds also where that fails', { skipQuestionAnswers: true }, 'status403', 1],
		['none without the option', {}, undefined, 0],
	] as const)('costs no more requests than %s', async (_, options, fault, count) => {
		const starts = await start(options);
		if (fault) await service.fault(fault, { ...lists, count: 'forever' });
		const before = (await service.control.requests(lists)).length;
		for (const id of ['mo-1', 'mo-2', 'mo-3']) expect(await starts(message(id, 'Hi'))).toBe(true);

		expect(await service.control.requests(lists)).toHaveLength(before + count);
	});
});
