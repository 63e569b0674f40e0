import { describe, expect, it } from 'vitest';
import { callV1, sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';

const daysAgo = (days: number) =>
	new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const news = { keyword: 'NEWS', number: 61491570006 };
const member = { list_id: 4100002, msisdn: 61491578888 };

/** The nodes refuse most of this before a request, so that their tests would not notice an emulator that takes it. */
describe('what v1 refuses', () => {
	const emulator = useEmulator();

	it.each<[string, Record<string, string | number>, string]>([
		['add-list', {}, 'FIELD_EMPTY'],
		['get-list', {}, 'FIELD_EMPTY'],
		['get-list', { list_id: 'Customers' }, 'FIELD_INVALID'],
		['add-field-to-list', { list_id: 4100001 }, 'MISSING_PARAM'],
		['add-to-list', { ...member, msisdn: 'nobody' }, 'BAD_MOBILE'],
		['add-to-list', { ...member, msisdn: '' }, 'FIELD_EMPTY'],
		['add-to-list', { ...member, countrycode: 'Atlantis' }, 'BAD_MOBILE_COUNTRY'],
		['edit-list-member', member, 'NOT_FOUND'],
		['add-contacts-bulk', { file_url: '', list_id: 4100002 }, 'FIELD_EMPTY'],
		['add-contacts-bulk', { file_url: 'http://127.0.0.1/a.csv', list_id: 17 }, 'NOT_FOUND'],
		['add-keyword', { ...news, keyword: '' }, 'FIELD_EMPTY'],
		['add-keyword', { ...news, number: 61491578888 }, 'FIELD_INVALID'],
		['add-keyword', { ...news, reference: 'r'.repeat(101) }, 'FIELD_INVALID'],
		['add-email', { email: 'example.com' }, 'FIELD_INVALID'],
		['add-email', { email: '' }, 'FIELD_EMPTY'],
		['add-email', { email: 'desk@example.com', max_sms: 5 }, 'FIELD_INVALID'],
		['format-number', { msisdn: '0491570006' }, 'FIELD_EMPTY'],
		['get-sms-responses', {}, 'FIELD_INVALID'],
		['get-sms-responses', { keyword: 'NEWS' }, 'FIELD_INVALID'],
		['get-sms-responses', { keyword_id: 'NEWS' }, 'FIELD_INVALID'],
		['get-sms-sent-count', { start: daysAgo(8), end: daysAgo(0) }, 'FIELD_INVALID'],
		['get-message-report', { start: daysAgo(31), end: daysAgo(0) }, 'FIELD_INVALID'],
		['get-message-report', { type: 'fax' }, 'FIELD_INVALID'],
		['get-user-sms-sent', { start: daysAgo(1) }, 'FIELD_EMPTY'],
		['get-user-sms-sent', { start: 'yesterday', end: daysAgo(0) }, 'FIELD_INVALID'],
		['get-contact-sms-stats', {}, 'FIELD_EMPTY'],
		['get-contact-sms-stats', { mobile: 61491578888, sort_field: 'cost' }, 'FIELD_INVALID'],
		['get-user-sms-responses', {}, 'FIELD_EMPTY'],
	])('%s with %j', async (operation, fields, code) => {
		const { status, body } = await callV1(emulator, operation, fields);
		expect([status, body.error.code]).toEqual([400, code]);
	});

	it.each<[string, Record<string, string>, string]>([
		['no text', { message: '' }, 'FIELD_EMPTY'],
		['neither to nor list_id', { to: '' }, 'FIELD_INVALID'],
		['a malformed send_at', { send_at: 'tomorrow' }, 'FIELD_INVALID'],
		['a text over 612 characters', { message: 'a'.repeat(613) }, 'FIELD_INVALID'],
		['501 recipients', { to: Array(501).fill('61491578888').join() }, 'FIELD_INVALID'],
		['a number of somebody else', { from: '61491578888' }, 'BAD_CALLER_ID'],
		['an inactive number', { from: '61491572665' }, 'BAD_CALLER_ID'],
		['a name over 11 characters', { from: 'TwelveLetter' }, 'BAD_CALLER_ID'],
		['a list without active members', { to: '', list_id: '4100003' }, 'LIST_EMPTY'],
	])('a message with %s', async (_label, fields, code) => {
		const { status, body } = await sendV1<{ error: { code: string } }>(emulator, fields);
		expect([status, body.error.code]).toEqual([400, code]);
		expect(await emulator.control().accepted()).toEqual([]);
	});

	it('an operation that it does not have', async () => {
		const { status, body } = await callV1(emulator, 'get-templates');
		expect([status, body.error.code]).toEqual([404, 'NOT_IMPLEMENTED']);
	});
});

const text = { content_type: 'text', content: { text: { message: 'Hi' } } };
const good: Record<string, object> = {
	'/v2/sms': { message: 'Hello', sender: '61491570006', recipient: '61491578888' },
	'/v2/mms': {
		sender: '61491570006',
		recipient: '61491578888',
		content_urls: ['https://example.com/picture.jpg'],
	},
	'/v2/whatsapp/messages': { recipient: '61491578888', ...text },
	'/v2/rcs/messages': { sender: 'PlaygroundAgent', recipient: '61491578888', ...text },
	'/v2/rcs/capabilities': { sender: 'PlaygroundAgent' },
	'/v2/senders/registrations': {
		sender: '61491577426',
		country: 'AU',
		type: 'PERSONAL_MOBILE_NUMBER',
	},
};
const template = (fields: object) => ({ content_type: 'template', content: { template: fields } });
const urls = (...content_urls: string[]) => ({ content_urls });

describe('what v2 refuses, with the field', () => {
	const emulator = useEmulator();

	it.each<[string, object, string]>([
		['/v2/sms', { sender: '61491578888' }, 'sender'],
		['/v2/sms', { sender: 'TwelveLetter' }, 'sender'],
		['/v2/sms', { sender: undefined }, 'sender'],
		['/v2/sms', { message: '' }, 'message'],
		['/v2/sms', { recipient: 'nobody' }, 'recipient'],
		['/v2/sms', { message_ref: 'r'.repeat(501) }, 'message_ref'],
		['/v2/mms', urls(), 'content_urls'],
		['/v2/mms', urls('https://a.example/1', 'https://a.example/2'), 'content_urls'],
		['/v2/mms', urls('picture.jpg'), 'content_urls'],
		['/v2/mms', { subject: 'x'.repeat(21) }, 'subject'],
		['/v2/mms', { subject: 'Café' }, 'subject'],
		['/v2/mms', { message: 'x'.repeat(1001) }, 'message'],
		['/v2/mms', { recipient: '6421123456' }, 'recipient'],
		['/v2/mms', { sender: '61491578888' }, 'sender'],
		['/v2/whatsapp/messages', { content_type: 'sticker' }, 'content_type'],
		['/v2/whatsapp/messages', { content: { text: {} } }, 'content'],
		['/v2/whatsapp/messages', template({ name: '' }), 'content'],
		['/v2/whatsapp/messages', template({ name: 'a', parameters: [1] }), 'content'],
		['/v2/whatsapp/messages', { sender: '61491570156' }, 'sender'],
		['/v2/whatsapp/messages', { recipient: '' }, 'recipient'],
		['/v2/whatsapp/messages', { sms_fallback: { sender: 'Acme' } }, 'sms_fallback'],
		['/v2/rcs/messages', { content: { image: {} } }, 'content'],
		['/v2/rcs/capabilities', { phone_numbers: [] }, 'phone_numbers'],
		['/v2/rcs/capabilities', { phone_numbers: Array(101).fill('61491578888') }, 'phone_numbers'],
		['/v2/senders/registrations', { sender: 'Acme' }, 'sender'],
		['/v2/senders/registrations', { country: 'Australia' }, 'country'],
		['/v2/senders/registrations', { type: 'ALPHANUMERIC' }, 'type'],
	])('%s with %j', async (path, fields, name) => {
		const { status, body } = await emulator.call(path, { json: { ...good[path], ...fields } });
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name }] } });
		expect(await emulator.control().accepted()).toEqual([]);
	});

	it.each([
		['limit', 'limit=101'],
		['limit', 'limit=0'],
		['cursor', 'cursor=nonsense'],
		['date_range', 'date_range=yesterday'],
		['start_date', 'date_range=custom_date'],
		['end_date', 'date_range=custom_date&start_date=2026-01-01&end_date=2026-06-01'],
	])('%s of a list, as in %s', async (name, query) => {
		const { status, body } = await emulator.call(`/v2/rcs/messages?${query}`);
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name }] } });
	});

	it.each([
		['name: length must be between 2 and 100', { name: 'x' }],
		['url: required', { url: undefined }],
		['url: must be a valid URL', { url: 'ftp://example.com' }],
		['rate_limit: greater than the maximum value of 10000', { rate_limit: 10_001 }],
		['filter.sender: must be an array of strings', { filter: { sender: 'x' } }],
		['filter.event_type: must be a valid value', { filter: { event_type: ['FAX'] } }],
	])('webhooks, as %s', async (reason, fields) => {
		const json = { name: 'Replies', url: 'https://example.com/hook', ...fields };
		const { status, body } = await emulator.call('/v2/webhook', { json });
		expect([status, body]).toEqual([400, { error: `Validation Error: ${reason}` }]);
	});

	it('a body that is not JSON', async () => {
		const headers = { 'content-type': 'application/json' };
		const { status, body } = await emulator.call('/v2/sms', { form: { a: 'b' }, headers });
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { title: 'Invalid Request' } });
	});

	it('a mobile number as the sender until it is verified', async () => {
		const sender = '61491577426';
		const path = '/v2/senders/registrations';
		const registered = await emulator.call<{ data: { registration_id: string } }>(path, {
			json: good[path],
		});
		const verifications = `${path}/${registered.body.data.registration_id}/verifications`;
		const json = { method: 'SMS', originating_sender: '61491570006' };
		expect((await emulator.call(verifications, { json })).text).not.toContain('"code"');
		expect((await sendV2(emulator, { sender })).status).toBe(400);
		const [message] = await emulator.control().messages({ recipient: sender });
		const code = message!.text.slice(-6);
		await emulator.call(`${verifications}/confirmation`, { json: { code } });
		expect((await sendV2(emulator, { sender })).status).toBe(200);
	});
});
