import { describe, expect, it } from 'vitest';
import { listenToLog } from '../security/engineLog.ts';
import { useWaitingN8n, type Waiting } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service, reply } = n8n;

const sender = '61491570156';
const contact = '61491573770';
const approval = { responseType: 'approval' };
const keepOrCancel = { responseType: 'choice', choices: ['Keep', 'Cancel'] };
const sends = { method: 'POST', path: '/v2/sms' };
const updates = { method: 'PUT', path: '/v2/webhook' };

const webhookOf = async ({ parked }: Waiting) =>
	(await service.control.webhooks()).find(({ id }) => id === parked.webhookId);

const messages = async () => await service.control.messages();

/** A reply of that time, to one question; it quotes this reference, or none. */
const deliver = async (question: Waiting, text: string, at: Date | number, quoted?: string) => {
	const overrides = {
		timestamp: new Date(at).toISOString(),
		mo: {
			id: `mo-${new Date(at).toISOString()}`,
			sender: contact,
			recipient: sender,
			message: text,
			last_message: quoted === undefined ? null : { message_ref: quoted },
		},
	};
	const to = String(question.parked.webhookId);
	return await service.control.emit({ event_type: 'SMS_INBOUND', overrides, to, wait: true });
};

/** When the service took the latest message. */
const sentMs = async () => Date.parse((await messages()).at(-1)?.at ?? '');

const minuteMs = 60_000;

describe.each([0, 10 * minuteMs, -10 * minuteMs])(
	'with the clock of the service %i ms ahead, a reply',
	(clockAheadMs) => {
		const ask = async (fields: Record<string, unknown> = approval) => {
			await service.control.settings({ clockAheadMs });
			return await n8n.ask(fields);
		};

		it('from before the question does not approve it, and one after it does', async () => {
			const question = await ask();
			await deliver(question, 'OK', (await sentMs()) - 1000);
			expect(n8n.answers()).toEqual([200]);
			expect(question.output()).toBeUndefined();

			await reply('OK');
			expect((await question.resumed).json).toMatchObject({ approved: true });
		});

		it('goes to the older question while the message of the newer one is not out', async () => {
			await service.control.settings({ retryDelaysMs: [2_500] });
			const older = await ask();
			// What the reply quotes, so that it tells nothing.
			await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
			await service.fault('slow', sends, { delayMs: 1_500 });
			const asking = ask();
			await service.control.waitForRequests(sends, { count: 3 });
			await reply('Yes');
			const newer = await asking;
			await service.control.waitForDeliveries({}, { count: 3, timeoutMs: 10_000 });

			const approved = [older, newer].map((each) => each.output()?.json.approved);
			expect(approved).toEqual([true, undefined]);
			// n8n refuses the newer one's first delivery, as its execution does not wait yet.
			expect(n8n.answers().toSorted()).toEqual([200, 200, 409]);
		});

		it.each(['older', 'newer'])(
			'from between two questions goes to the older one, also when the %s hears it first',
			async (first) => {
				const older = await ask();
				n8n.passTime(minuteMs);
				const newer = await ask();
				await service.control.waitForRequests({ ...updates, status: 200 });
				n8n.restart();
				const written = (await sentMs()) - 30_000;
				const order = first === 'older' ? [older, newer] : [newer, older];
				for (const question of order) await deliver(question, 'Yes', written);

				expect((await older.resumed).json).toMatchObject({ approved: true });
				expect(newer.output()).toBeUndefined();
			},
		);

		it.each(['older', 'newer'])(
			'from after both goes to the newer one, also when the %s hears it first',
			async (first) => {
				const older = await ask();
				n8n.passTime(minuteMs);
				const newer = await ask();
				await service.control.waitForRequests({ ...updates, status: 200 });
				const written = await sentMs();
				const order = first === 'older' ? [older, newer] : [newer, older];
				n8n.restart();
				for (const question of order) await deliver(question, 'Yes', written);

				expect((await newer.resumed).json).toMatchObject({ approved: true });
				expect(older.output()).toBeUndefined();
			},
		);
	},
);

describe('a reply from before the question', () => {
	it('counts where it quotes the message of the question', async () => {
		const question = await n8n.ask(approval);
		const [message] = await messages();
		await deliver(question, 'Yes', (await sentMs()) - minuteMs, message?.message_ref);

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it('counts where its time cannot be read', async () => {
		const question = await n8n.ask(approval);
		const { parked } = question;
		const mo = { sender: contact, recipient: sender, message: 'Yes', last_message: null };
		const overrides = { timestamp: 'yesterday', mo };
		const to = String(parked.webhookId);
		await service.control.emit({ event_type: 'SMS_INBOUND', overrides, to });

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it('counts in the second in which Kudosity took the message', async () => {
		const question = await n8n.ask(approval);
		await deliver(question, 'Yes', Math.floor((await sentMs()) / 1000) * 1000);

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it.each(['STOP', 'Cancel'])('ends it with %s', async (text) => {
		const question = await n8n.ask(keepOrCancel);
		await deliver(question, text, (await sentMs()) - minuteMs);

		expect((await question.resumed).json).toMatchObject({ optedOut: true, replied: false });
	});

	it('leaves it open with CANCEL that answers the newest question open then', async () => {
		const older = await n8n.ask(keepOrCancel);
		n8n.passTime(minuteMs);
		const newer = await n8n.ask(approval);
		const written = (await sentMs()) - 30_000;
		await deliver(newer, 'Cancel', written);
		await deliver(older, 'Cancel', written);

		expect((await older.resumed).json).toMatchObject({ choice: 'Cancel' });
		expect(newer.output()).toBeUndefined();
	});
});

describe('a reply that its time alone turns away', () => {
	it.each(['Yes', 'Why'])('is told in the log, with both times: %s', async (text) => {
		const question = await n8n.ask(approval);
		const lines = listenToLog();
		const [message] = await messages();
		const written = new Date((await sentMs()) - minuteMs).toISOString();
		await deliver(question, text, Date.parse(written));

		const line = lines.find((each) => each.includes(written));
		expect(line).toContain(message?.at);
		expect(line).not.toContain(contact);
		expect(question.output()).toBeUndefined();
	});
});

describe('the webhook of a question', () => {
	const name = /\(question until [\d-]{10} [\d:]{5} UTC\)$/;
	const named = (marks: string) =>
		new RegExp(`\\(question until [\\d-]{10} [\\d:]{5} UTC${marks}\\)$`);

	it('is named once where the person has no other question', async () => {
		const question = await n8n.ask();

		expect((await webhookOf(question))?.name).toMatch(name);
		expect(await service.control.requests(updates)).toEqual([]);
	});

	it('says when the message went out where the person has another one', async () => {
		await n8n.ask();
		await service.fault('slow', sends, { delayMs: 300 });
		const asking = n8n.ask();
		await service.control.waitForRequests(sends, { count: 2 });
		const [, pending] = await service.control.webhooks();
		expect(pending?.name).toMatch(named(', not sent yet'));
		await asking;
		await service.control.waitForRequests({ ...updates, status: 200 });

		const [, webhook] = await service.control.webhooks();
		const second = new Date(await sentMs()).toISOString().slice(0, 19).replace('T', ' ');
		expect(webhook?.name).toMatch(named(`, sent ${second}`));
		expect(webhook?.filter).toEqual(pending?.filter);
		expect(webhook?.url).toBe(pending?.url);
	});

	it('keeps that time when an explanation is sent', async () => {
		await n8n.ask();
		await n8n.ask({ ...approval, options: { unexpectedReplyMessage: 'YES or NO, please' } });
		await service.control.waitForRequests({ ...updates, status: 200 });
		await reply('Why?');
		await service.control.waitForMessages({ text: 'YES or NO, please' });

		const [, webhook] = await service.control.webhooks();
		expect(webhook?.name).toMatch(named(', sent [\\d-]{10} [\\d:]{8}, explained'));
	});

	it('says the time of the try where nobody knows whether the message went out', async () => {
		await n8n.ask();
		await service.fault('status500AfterAcceptance', { ...sends, count: 1 });
		await n8n.run({ options: { lookUpWhenUnknown: false } });
		await service.control.waitForRequests({ ...updates, status: 200 });

		const [, webhook] = await service.control.webhooks();
		expect(webhook?.name).toMatch(named(', sent [\\d-]{10} [\\d:]{8}'));
	});

	it('is named so, too, where another question of the same moment is not in the list yet', async () => {
		await Promise.all([n8n.ask(), n8n.ask({ message: 'And this?' })]);
		await service.control.waitForRequests({ ...updates, status: 200 });

		const reads = await service.control.requests({ method: 'GET' });
		expect(reads.filter(({ path }) => path === '/v2/webhook')).toHaveLength(1);
	});
});
