import { describe, expect, it } from 'vitest';
import { simplifyMessage } from '../../../seams.ts';

const number = '61491570006';
const customer = '61491570156';
const createdAt = '2026-03-28T06:12:52.450674000Z';

const sms = {
	id: 'a',
	recipient: customer,
	recipient_country: 'AU',
	sender: number,
	sender_country: 'AU',
	message_ref: 'order-7',
	message: 'Report to the ready room!',
	status: 'delivered',
	sms_count: 1,
	is_gsm: true,
	is_sandbox: false,
	routed_via: '',
	track_links: true,
	direction: 'OUT',
	created_at: createdAt,
	updated_at: createdAt,
};

const mms = {
	id: 'a',
	recipient: `+${customer}`,
	sender: number,
	country: 'AU',
	subject: 'USS Enterprise',
	message: 'Check out this specimen',
	message_ref: 'order-7',
	content_urls: ['https://example.com/picture.jpg'],
	status: 'sent',
	track_links: true,
	is_sandbox: false,
	created_at: createdAt,
	updated_at: createdAt,
};

const template = {
	id: 'a',
	account_id: '123123',
	message_ref: 'order-7',
	campaign_id: 'summer',
	sender: number,
	recipient: customer,
	content_type: 'template',
	content: { template: { name: 'welcome_new_customer', parameters: ['Joe'] } },
	sms_fallback: { message: 'Welcome Joe!' },
	created_at: '2026-01-01T00:00:00Z',
	status: 'DELIVERED',
	events: [{ event_type: 'SENT', created_at: '2026-01-01T00:00:30Z', details: 'Sent' }],
};

const parties = { contact: customer, sender: number, messageRef: 'order-7' };
const milliseconds = '2026-03-28T06:12:52.450Z';

describe('a message in simple form', () => {
	it('is what matters of an SMS', () => {
		expect(simplifyMessage('SMS', sms)).toEqual({
			messageId: 'a',
			channel: 'SMS',
			direction: 'OUT',
			status: 'DELIVERED',
			...parties,
			text: 'Report to the ready room!',
			parts: 1,
			createdAt: milliseconds,
		});
	});

	it('has the person as contact and the own number as sender when it was received', () => {
		const received = { ...sms, direction: 'IN', sender: customer, recipient: number };

		expect(simplifyMessage('SMS', received)).toMatchObject({ contact: customer, sender: number });
	});

	it('has the ID of a message as text, as the trigger has it', () => {
		expect(simplifyMessage('SMS', { ...sms, id: 4711 })).toMatchObject({ messageId: '4711' });
		expect(simplifyMessage('SMS', { ...sms, id: null })).not.toHaveProperty('messageId');
	});

	it('says what the words of a received message mean, and nothing of one that was sent', () => {
		const received = { ...sms, direction: 'IN', sender: customer, recipient: number };
		const meaning = (message: string) => simplifyMessage('SMS', { ...received, message });
		expect(meaning('Ja, gern 👍')).toMatchObject({
			plainText: 'JA GERN',
			isOptInKeyword: false,
			isOptOutKeyword: false,
			isReaction: false,
		});
		expect(meaning('yes!')).toMatchObject({ answer: 'yes' });
		expect(meaning('Start')).toMatchObject({ isOptInKeyword: true });
		expect(meaning('Stop')).toMatchObject({ isOptOutKeyword: true, optOut: 'stop' });
		expect(meaning('Cancel')).toMatchObject({ isOptOutKeyword: true, optOut: 'keyword' });
		expect(meaning('Please stop')).toMatchObject({ isOptOutKeyword: false, optOut: 'words' });
		expect(meaning('Yes')).not.toHaveProperty('optOut');

		const sent = simplifyMessage('SMS', { ...sms, message: 'Yes' });
		for (const name of [
			'answer',
			'plainText',
			'isReaction',
			'isOptOutKeyword',
			'optOut',
			'isOptInKeyword',
		]) {
			expect(sent).not.toHaveProperty(name);
		}
	});

	it.each(['OUT', 'IN'])(
		'names one person alike, however the service spells them (%s)',
		(direction) => {
			const parties = { sender: number, recipient: '5215512345678' };
			const swapped = { sender: parties.recipient, recipient: number };
			const message = { ...sms, ...(direction === 'IN' ? swapped : parties), direction };
			const { contact, sender } = simplifyMessage('SMS', message);
			expect([contact, sender]).toEqual(['525512345678', number]);
		},
	);

	it('is what matters of an MMS', () => {
		expect(simplifyMessage('MMS', mms)).toEqual({
			messageId: 'a',
			channel: 'MMS',
			status: 'SENT',
			...parties,
			subject: 'USS Enterprise',
			text: 'Check out this specimen',
			contentUrl: 'https://example.com/picture.jpg',
			createdAt: milliseconds,
		});
	});

	it('names the template of a WhatsApp message, which has no text of its own', () => {
		expect(simplifyMessage('WHATSAPP', template)).toEqual({
			messageId: 'a',
			channel: 'WHATSAPP',
			status: 'DELIVERED',
			...parties,
			template: 'welcome_new_customer',
			contentType: 'template',
			campaignId: 'summer',
			createdAt: '2026-01-01T00:00:00.000Z',
		});
	});

	it('has the text of an RCS message', () => {
		const rcs = { ...template, content_type: 'text', content: { text: { message: 'Hi Joe' } } };

		expect(simplifyMessage('RCS', rcs)).toMatchObject({ text: 'Hi Joe', contentType: 'text' });
		expect(simplifyMessage('RCS', rcs)).not.toHaveProperty('template');
	});

	it.each([
		['SMS', sms],
		['MMS', mms],
		['WHATSAPP', template],
	] as const)('has at most ten fields, as n8n wants it: %s', (channel, message) => {
		expect(Object.keys(simplifyMessage(channel, message)).length).toBeLessThanOrEqual(10);
	});

	it.each([
		['nothing', {}],
		[
			'nulls',
			Object.fromEntries(Object.keys({ ...sms, ...mms, ...template }).map((name) => [name, null])),
		],
		['lists', { recipient: [], sender: {}, status: 7, message: ['a'], created_at: 5, content: [] }],
	])('takes whatever the service says: %s', (_, message) => {
		expect(Object.values(simplifyMessage('SMS', { ...message }))).not.toContain(null);
	});
});
