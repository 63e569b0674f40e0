import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service } = n8n;

const contact = '61491573770';
const fallbackSender = '61491570156';
const whatsappSender = '61491570006';
const fallback = { smsFallbackMessage: 'Yes or no?', smsFallbackSender: fallbackSender };
const approval = { replyType: 'approval' };

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

	it('is answered by an SMS where an SMS went out in its place', async () => {
		const question = await ask(fallback);
		await service.control.inbound({ from: contact, to: fallbackSender, text: 'no' });

		expect((await question.resumed).json).toMatchObject({
			approved: false,
			channel: 'SMS',
			sender: fallbackSender,
		});
	});

	it('is answered by an MMS there', async () => {
		const question = await ask(fallback);
		await service.control.inbound({
			channel: 'MMS',
			from: contact,
			to: fallbackSender,
			text: 'no',
		});

		expect((await question.resumed).json).toMatchObject({ approved: false, channel: 'MMS' });
	});

	it('is explained where the person answered', async () => {
		const text = 'YES or NO, please';
		const question = await ask({ ...fallback, explanation: text });
		await service.control.inbound({ from: contact, to: fallbackSender, text: 'Why?' });
		const [said] = await service.control.waitForMessages({ text, channel: 'SMS' });
		expect(said).toMatchObject({ sender: fallbackSender, recipient: contact });
		await service.control.inbound({ from: contact, to: fallbackSender, text: 'Yes' });

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
	const reply = async (text: string) =>
		await service.control.inbound({
			channel: 'WHATSAPP',
			from: contact,
			to: whatsappSender,
			text,
		});

	it('is answered by WhatsApp, after an explanation of what to write', async () => {
		const question = await ask({ explanation: 'YES or NO, please' });
		await reply('Why?');
		await service.control.waitForMessages({ text: 'YES or NO, please', channel: 'WHATSAPP' });
		await reply('Yes');

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
