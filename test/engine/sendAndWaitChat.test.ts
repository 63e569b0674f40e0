import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service, reply } = n8n;

const contact = '61491573770';
const fallbackSender = '61491570156';
const whatsappSender = '61491570006';
const fallback = { smsFallbackMessage: 'Yes or no?', smsFallbackSender: fallbackSender };
const approval = { responseType: 'approval' };

describe('a question by RCS', () => {
	const ask = async (options: object = {}) =>
		await n8n.ask({ ...approval, sender: RCS_AGENT, options }, {}, 'rcs/sendAndWait');

	it('is answered by RCS', async () => {
		const question = await ask();
		await service.control.inbound({ channel: 'RCS', from: contact, to: RCS_AGENT, text: 'yes' });

		expect((await question.resumed).json).toMatchObject({
			replied: true,
			approved: true,
			channel: 'RCS',
			sender: RCS_AGENT,
			contact,
			text: 'yes',
		});
	});

	it('is answered by a button', async () => {
		const question = await ask();
		await service.control.emit({
			event_type: 'RCS_INBOUND',
			contentType: 'BUTTON',
			overrides: {
				mo: {
					sender: contact,
					recipient: RCS_AGENT,
					content: { button: { text: 'No', payload: 'no' } },
				},
			},
		});

		expect((await question.resumed).json).toMatchObject({
			approved: false,
			matched: true,
			text: 'No',
		});
	});

	it.each(['SMS', 'MMS'] as const)(
		'is answered by an %s where an SMS went out in its place',
		async (channel) => {
			const question = await ask(fallback);
			const to = fallbackSender;
			await service.control.inbound({ channel, from: contact, to, text: 'no' });

			const answer = { approved: false, channel, sender: fallbackSender };
			expect((await question.resumed).json).toMatchObject(answer);
		},
	);

	it('is not answered by a reaction to the SMS that went out in its place', async () => {
		const question = await n8n.ask(
			{ responseType: 'freeText', sender: RCS_AGENT, message: 'By RCS?', options: fallback },
			{},
			'rcs/sendAndWait',
		);
		await reply('Liked “Yes or no?”');
		await reply('Liked “By RCS?”');
		await n8n.delivered(2);
		expect(question.output()).toBeUndefined();

		await reply('Liked “RCS”');
		expect((await question.resumed).json.text).toBe('Liked “RCS”');
	});

	it('is explained where the person answered', async () => {
		const text = 'YES or NO, please';
		const question = await ask({ ...fallback, unexpectedReplyMessage: text });
		await reply('Why?');
		const [said] = await service.control.waitForMessages({ text, channel: 'SMS' });
		expect(said).toMatchObject({ sender: fallbackSender, recipient: contact });
		await reply('Yes');

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it('ends with STOP', async () => {
		const question = await ask();
		await service.control.inbound({ channel: 'RCS', from: contact, to: RCS_AGENT, text: 'STOP' });

		expect((await question.resumed).json).toMatchObject({ optedOut: true, replied: false });
	});
});

describe('a question by WhatsApp', () => {
	const fields = { ...approval, sender: whatsappSender, contentType: 'text' };
	const ask = async (options: object = {}) =>
		await n8n.ask({ ...fields, options }, {}, 'whatsapp/sendAndWait');
	const to = whatsappSender;
	const replyThere = async (text: string) =>
		await service.control.inbound({ channel: 'WHATSAPP', from: contact, to, text });

	it('is answered by WhatsApp, after an explanation of what to write', async () => {
		const question = await ask({ unexpectedReplyMessage: 'YES or NO, please' });
		await replyThere('Why?');
		await service.control.waitForMessages({ text: 'YES or NO, please', channel: 'WHATSAPP' });
		await replyThere('Yes');

		expect((await question.resumed).json).toMatchObject({
			replied: true,
			approved: true,
			channel: 'WHATSAPP',
			sender: whatsappSender,
		});
	});

	it('is refused without a sender: nobody would know where the reply comes to', async () => {
		const { error } = await n8n.run({ ...fields, sender: "={{ '' }}" }, {}, 'whatsapp/sendAndWait');

		expect(error?.message).toContain("'Sender' is empty");
		expect(await service.control.requests({ method: 'POST' })).toEqual([]);
	});
});
