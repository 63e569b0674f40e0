import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const mms = async (operation: string, parameters: object = {}) =>
	await service.run(`mms/${operation}`, parameters);

const message = {
	sender: '61491570006',
	recipient: '61491570156',
	contentUrl: 'https://example.com/picture.jpg',
	subject: 'Your order',
	message: 'It is ready 🎉',
};

describe('mms.send', () => {
	itRefuses(service, 'mms/send', message, [
		[{ contentUrl: "={{ '' }}" }, "'Content URL' is empty"],
		[{ contentUrl: 'picture.jpg' }, "'Content URL' is not a public https URL"],
		[{ contentUrl: 'http://example.com/a.jpg' }, "'Content URL' is not a public https URL"],
		[{ contentUrl: 'https://192.168.0.7/a.jpg' }, "'Content URL' is not a public https URL"],
		// As copied from a web page.
		[{ contentUrl: 'https://example.com/a.jpg\u200b' }, "'Content URL' is not a public https URL"],
		[
			{ contentUrl: 'https://example.com/a.jpg\nhttps://example.com/b.jpg' },
			"'Content URL' is not a public https URL",
		],
		[{ subject: 'x'.repeat(21) }, "'Subject' is longer than 20 characters"],
		[
			{ subject: 'Grüße' },
			"'Subject' has special characters",
			'Remove accents, emoji and line breaks',
		],
		[{ message: 'x'.repeat(1001) }, "'Message' is longer than 1000 characters"],
		[{ recipient: "={{ '' }}" }, "'Recipient' is empty"],
		[{ sender: "={{ '' }}" }, "'Sender' is empty"],
	]);

	it('passes on that it goes to Australia only', async () => {
		const { error } = await mms('send', { ...message, recipient: '6421555123' });

		expect(error?.httpCode).toBe('400');
		expect(error?.description).toContain('Australia');
	});

	it('sends one file with its texts', async () => {
		const options = { messageRef: 'order-7', trackLinks: true };
		const { json } = await mms('send', { ...message, options });

		expect((await service.control.requests())[0]?.body).toEqual({
			sender: '61491570006',
			recipient: '61491570156',
			content_urls: ['https://example.com/picture.jpg'],
			subject: 'Your order',
			message: 'It is ready 🎉',
			message_ref: 'order-7',
			track_links: true,
		});
		expect(json).toMatchObject([{ id: expect.any(String), status: 'pending', country: 'AU' }]);
		expect(await service.control.messages({ channel: 'MMS' })).toHaveLength(1);
	});

	it('needs no text', async () => {
		const { error } = await mms('send', { ...message, subject: '', message: '' });

		expect(error).toBeUndefined();
		const [request] = await service.control.requests();
		expect(Object.keys(request?.body as object).sort()).toEqual([
			'content_urls',
			'recipient',
			'sender',
		]);
	});
});

describe('mms.get', () => {
	it('passes on that an ID is none of the service', async () => {
		const { error } = await mms('get', { messageId: 'order-7' });

		expect(error?.httpCode).toBe('400');
		expect(error?.description).toContain('invalid MMS ID');
	});

	it('gives the message as a flat record, or all that the service says', async () => {
		const { json: sent } = await mms('send', message);
		const messageId = String(sent[0]?.id);
		const { json: simple } = await mms('get', { messageId });
		const { json: raw } = await mms('get', { messageId, simplify: false });

		expect(simple).toEqual([
			{
				messageId,
				channel: 'MMS',
				status: 'PENDING',
				contact: '61491570156',
				sender: '61491570006',
				subject: 'Your order',
				text: 'It is ready 🎉',
				contentUrl: 'https://example.com/picture.jpg',
				createdAt: expect.any(String),
			},
		]);
		expect(raw).toMatchObject([{ id: messageId, content_urls: [message.contentUrl] }]);
	});
});
