import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const whatsapp = async (operation: string, parameters: object = {}, items = [{}]) =>
	await service.run(`whatsapp/${operation}`, parameters, { items });

const recipient = '61491570006';
const text = { recipient, message: 'Ready, Sam 🎉' };
const template = {
	recipient,
	contentType: 'template',
	templateName: 'order_confirmation',
	templateParameters: ['Sam', '#12345'],
};
const custom = { recipient, contentType: 'custom' };

const body = async () => (await service.control.requests()).at(-1)?.body;

describe('whatsapp.send', () => {
	itRefuses(service, 'whatsapp/send', {}, [
		[{ ...text, message: "={{ '' }}" }, "'Message' is empty"],
		[{ ...text, recipient: "={{ '' }}" }, "'Recipient' is empty"],
		[{ ...template, templateName: ' ' }, "'Template Name' is empty"],
		[
			{ ...template, templateParameters: ['Sam', ''] },
			"'Template Parameters' has no text at position 2",
		],
		[
			{ ...template, templateParameters: '={{ ["Sam", null, "a"] }}' },
			"'Template Parameters' has no text at position 2",
		],
		[{ ...template, templateParameters: '={{ [["Sam"]] }}' }, /no text at position 1/],
		[{ ...template, templateParameters: ['Sam', '\u200b'] }, /no text at position 2/],
		[{ ...template, templateParameters: '={{ $json.missing }}' }, /no text at position 1/],
		[{ ...template, templateParameters: '={{ null }}' }, /no text at position 1/],
		[{ ...template, templateParameters: "={{ '' }}" }, /no text at position 1/],
		[{ ...template, templateParameters: '={{ ["Sam", undefined * 2] }}' }, /no text at position 2/],
		[{ ...custom, content: '{ "type": ' }, "'Content' is not a JSON object"],
		[{ ...custom, content: '[]' }, "'Content' is not a JSON object"],
		[{ ...custom, content: '{}' }, "'Content' is empty", 'Enter at least one key'],
		[{ ...text, options: { smsFallbackSender: 'Acme' } }, /SMS Fallback Message' is empty/],
	]);

	it('says that the account has no WhatsApp sender', async () => {
		await service.control.settings({ whatsappSenders: [] });
		const { error } = await whatsapp('send', text);

		expect(error?.code).toBe('invalid_sender');
		expect(error?.description).toContain('no WhatsApp sender found');
	});

	it('sends a text', async () => {
		const { json } = await whatsapp('send', text);

		expect(await body()).toEqual({
			recipient,
			content_type: 'text',
			content: { text: { message: text.message } },
		});
		expect(json).toMatchObject([{ id: expect.any(String), recipient, content_type: 'text' }]);
	});

	it('sends a template with the texts for its places, in their order', async () => {
		await whatsapp('send', { ...template, templateLocale: 'en_US' });

		expect(await body()).toEqual({
			recipient,
			content_type: 'template',
			content: {
				template: {
					name: 'order_confirmation',
					parameters: ['Sam', '#12345'],
					locale: 'en_US',
				},
			},
		});
	});

	it.each([
		['a list', '={{ $json.values }}', ['Sam', '7']],
		['one text', '={{ $json.values[0] }}', ['Sam']],
		['none', [], []],
		['an empty list', '={{ [] }}', []],
	])('takes %s as the texts of a template', async (_, templateParameters, parameters) => {
		await whatsapp('send', { ...template, templateParameters }, [{ values: ['Sam', 7] }]);

		expect(await body()).toMatchObject({ content: { template: { parameters } } });
	});

	it.each([
		['a text', '{ "type": "image", "image": { "link": "https://example.com/a.jpg" } }'],
		['an object', '={{ { type: "image", image: { link: "https://example.com/a.jpg" } } }}'],
	])("sends a message of Meta's from %s", async (_, content) => {
		await whatsapp('send', { ...custom, content });

		expect(await body()).toMatchObject({
			content_type: 'custom',
			content: { custom: { type: 'image', image: { link: 'https://example.com/a.jpg' } } },
		});
	});

	it.each(['to', 'To', ' recipient', 'from'])(
		"refuses a message of Meta's that has a party of its own: %j",
		async (party) => {
			const content = JSON.stringify({ [party]: '61491570157' });
			const { error } = await whatsapp('send', { ...custom, content });

			expect(error?.message).toBe(`'Content' has '${party}'`);
			expect(await service.control.messages()).toEqual([]);
		},
	);

	it('passes on sender, reference and the SMS in its place', async () => {
		const options = {
			sender: '+61 491 570 006',
			messageRef: 'order-7',
			smsFallbackMessage: 'Ready, Sam',
		};
		await whatsapp('send', { ...text, recipient: '61491570156', options });

		expect(await body()).toMatchObject({
			sender: '61491570006',
			message_ref: 'order-7',
			sms_fallback: { message: 'Ready, Sam' },
		});
	});
});

describe('whatsapp.get', () => {
	it('gives the message as a flat record, or all that the service says', async () => {
		const { json: sent } = await whatsapp('send', { ...template, options: { messageRef: 'a' } });
		const messageId = String(sent[0]?.id);
		const { json: simple } = await whatsapp('get', { messageId });
		const { json: raw } = await whatsapp('get', { messageId, simplify: false });

		expect(simple).toEqual([
			{
				messageId,
				channel: 'WHATSAPP',
				status: expect.stringMatching(/^[A-Z]+$/),
				contact: recipient,
				sender: '61491570006',
				template: 'order_confirmation',
				contentType: 'template',
				messageRef: 'a',
				createdAt: expect.any(String),
			},
		]);
		expect(raw).toMatchObject([{ id: messageId, account_id: expect.any(String) }]);
	});
});

describe('whatsapp.getAll', () => {
	itRefuses(service, 'whatsapp/getAll', {}, [
		[{ filters: { endDate: '2026-01-01' } }, "'Filters > Start Date' is empty"],
		[{ filters: { campaignId: 'a/b' } }, "'Filters > Campaign ID' is not an ID"],
	]);

	it('gives the newest first, with the filters of the service', async () => {
		for (const message of ['one', 'two']) await whatsapp('send', { ...text, message });
		const { json } = await whatsapp('getAll', { filters: { dateRange: 'last_week' } });
		await whatsapp('getAll', { limit: 7, filters: { campaignId: 'summer-sale' } });

		expect(json).toMatchObject([{ text: 'two' }, { text: 'one' }]);
		const requests = await service.control.requests({ method: 'GET' });
		expect(requests.map(({ query }) => query)).toEqual([
			{ limit: '50', date_range: 'last_week' },
			{ limit: '7', campaign_id: 'summer-sale' },
		]);
	});
});
