import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { useRealPauses } from './pauses.ts';
import { useWaitingN8n } from './waitingN8n.ts';

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

describe('a reply, while the webhooks of the account cannot be read', () => {
	const stall = async () =>
		await service.fault('slow', { path: '/v2/webhook', method: 'GET' }, { delayMs: 6_500 });

	it('counts within seconds where it quotes no message', async () => {
		const question = await n8n.ask(approval);
		await stall();
		const begun = performance.now();
		await emit({ message: 'Yes', last_message: null });

		expect((await question.resumed).json).toMatchObject({ approved: true });
		expect(performance.now() - begun).toBeLessThan(6_400);
	});

	it('is delivered again where it quotes a newer question, and does not count for the older one', async () => {
		const older = await n8n.ask(approval);
		await n8n.ask(approval);
		const [, sent] = await service.control.messages();
		await service.fault('status403', { path: '/v2/webhook', method: 'GET' });
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
		await stall();
		await reply('Yes');

		expect((await question.resumed).json).toMatchObject({ approved: true });
		await delivered(2);
		expect(n8n.answers()).toEqual([503, 200]);
	});

	it('ends the question at once where it is an opt-out', async () => {
		const question = await n8n.ask(approval);
		await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
		await service.fault('status403', { path: '/v2/webhook', method: 'GET' });
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

/** A message to one webhook, as the service delivers it, also a second time or late. */
const deliver = async (webhookId: unknown, id: string, message: string, quoted?: string) => {
	const quote = quoted === undefined ? null : { message_ref: quoted };
	const mo = { id, sender: contact, recipient: sender, message, last_message: quote };
	const overrides = { timestamp: new Date().toISOString(), mo };
	const to = String(webhookId);
	return await service.control.emit({ event_type: 'SMS_INBOUND', overrides, to, wait: true });
};

describe('a reply that one of several questions took', () => {
	useRealPauses();

	/** Two questions; resolves once the account shows that the newer one was answered, by whatever request. */
	const answerNewer = async (text: string, fields = approval, olderFields = approval) => {
		const older = await n8n.ask(olderFields);
		const newer = await n8n.ask(fields);
		const path = `/v2/webhook/${String(newer.parked.webhookId)}`;
		await service.control.waitForRequests({ path, status: 200 });
		await deliver(newer.parked.webhookId, 'mo-1', text);
		await newer.resumed;
		await service.control.waitForRequests({ path, status: 200 }, { count: 2, timeoutMs: 8_000 });
		return { older, newer };
	};

	it('is not taken by the older one when it comes late, after n8n was restarted', async () => {
		const { older } = await answerNewer('Yes');
		n8n.restart();
		await deliver(older.parked.webhookId, 'mo-1', 'Yes');
		expect(older.output()).toBeUndefined();

		await deliver(older.parked.webhookId, 'mo-2', 'No');
		expect((await older.resumed).json).toMatchObject({ approved: false });
	});
});
