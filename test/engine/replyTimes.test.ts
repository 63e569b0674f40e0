import { describe, expect, it } from 'vitest';
import { listenToLog } from '../security/engineLog.ts';
import { useWaitingN8n, type Waiting } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service, reply } = n8n;

const sender = '61491570156';
const contact = '61491573770';
const approval = { responseType: 'approval' };
const keepOrCancel = { responseType: 'choice', choices: ['Keep', 'Cancel'] };
const updates = { method: 'PUT', path: '/v2/webhook' };

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

		it.each(['older', 'newer'])(
			'from between two questions goes to the older one, also when the %s hears it first',
			async (first) => {
				const older = await ask();
				n8n.passTime(minuteMs);
				const newer = await ask();
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

	it('ends it with STOP', async () => {
		const question = await n8n.ask(keepOrCancel);
		await deliver(question, 'STOP', (await sentMs()) - minuteMs);

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
	it('stays as it was created while the question is open, also beside another one', async () => {
		await n8n.ask();
		const created = await service.control.webhooks();
		await n8n.ask({ ...approval, options: { unexpectedReplyMessage: 'YES or NO, please' } });

		expect((await service.control.webhooks())[0]).toEqual(created[0]);
		expect(await service.control.requests(updates)).toEqual([]);
	});
});
