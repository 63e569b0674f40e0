import { describe, expect, it } from 'vitest';
import {
	deepestLevel,
	isDeeperThan,
	withoutPrivateTexts,
	withoutSecrets,
	type ApiRequest,
} from '../../../seams.ts';

const request: ApiRequest = {
	connection: 'key',
	method: 'POST',
	path: '/v2/sms',
	json: { message: 'See you at noon', recipient: '61491570156', sender: 'Acme' },
	repeatable: false,
};

const clean = (detail: string, sent: Partial<ApiRequest> = {}) =>
	withoutPrivateTexts({ code: 'FAILED', detail }, { ...request, ...sent }).detail;

describe("the service's words about a request", () => {
	it.each([
		['Sender Acme not found', 'Sender Acme not found'],
		['Cannot send "See you at noon" now', 'Cannot send "…" now'],
		['61491570156 is not a mobile', '… is not a mobile'],
		['Try +61491570157 instead', 'Try …0157 instead'],
		['Limit 500 at 2026-11-20', 'Limit 500 at 2026-11-20'],
	])('%s become %s', (detail, expected) => {
		expect(clean(detail)).toBe(expected);
	});

	it('lose the address of a webhook, and what a form held', () => {
		const url = 'https://example.com/hook?token=abc';
		expect(clean(`${url} is taken`, { json: { url } })).toBe('… is taken');
		const form = { message: 'Closed today', to: '61491570156,61491570157' };
		expect(clean('Closed today for 61491570157', { json: undefined, form })).toBe('… for …0157');
	});

	it.each([
		['json', 'code', '012345'],
		['form', 'welcome_message', 'Thanks, Sam'],
		['form', 'members_message', 'On the list already'],
		['form', 'forward_url', 'https://example.com/secret'],
		['form', 'forward_email', 'sam@example.com'],
		['form', 'email', 'sam@example.com'],
		['form', 'first_name', 'Samantha'],
		['form', 'last_name', "O'Brien"],
		['form', 'field_10', 'Diabetes'],
		['form', 'tracked_link_url', 'https://example.com/?token=abc'],
	])('lose what the %s has as %s', (place, field, value) => {
		const sent = { json: undefined, [place]: { [field]: value } };
		expect(clean(`"${value}" is wrong`, sent)).toBe('"…" is wrong');
	});

	it('lose each address of a list of them, and keep a message that has a piece in common', () => {
		const form = {
			forward_email: 'team@example.com, sam@example.com',
			message: 'Dear Sam, your order',
		};
		expect(clean('sam@example.com: no order', { json: undefined, form })).toBe('…: no order');
		expect(clean('your order', { json: undefined, form })).toBe('your order');
	});

	it('lose the addresses of the files of an MMS', () => {
		const json = { content_urls: ['https://example.com/a.jpg?signature=abc'] };
		expect(clean('https://example.com/a.jpg?signature=abc is gone', { json })).toBe('… is gone');
	});

	it.each([
		['RCS', { content: { text: { message: 'See you at noon' } } }],
		['a template', { content: { template: { name: 'x', parameters: ['A', 'See you at noon'] } } }],
		['custom content', { content: { custom: { image: { caption: 'See you at noon' } } } }],
		['the SMS in its place', { sms_fallback: { message: 'See you at noon', sender: 'Acme' } }],
		['an MMS', { subject: 'See you at noon' }],
	])('lose the text of %s', (_, json) => {
		expect(clean('Acme: "See you at noon" is wrong', { json })).toBe('Acme: "…" is wrong');
	});

	it('keep the name of a type, and lose a longer text as a whole', () => {
		const custom = { type: 'text', body: 'Hello', footer: 'Hello Sam' };
		expect(clean('Hello Sam is no text', { json: { content: { custom } } })).toBe('… is no text');
	});

	it('keep a longer word, of which a text is a part', () => {
		const json = { content: { custom: { action: { buttons: [{ reply: { id: 'send' } }] } } } };
		const words = 'no WhatsApp sender found for this account';
		expect(clean(`${words}: send`, { json })).toBe(`${words}: …`);
	});

	it('lose them in codes and issues as well', () => {
		const issues = [{ field: '61491570156', message: 'See you at noon' }];
		expect(withoutPrivateTexts({ code: 'No 61491570157', issues }, request)).toMatchObject({
			code: 'No …0157',
			issues: [{ field: '…', message: '…' }],
		});
	});

	it('stay whole where the message is a word of two letters', () => {
		expect(clean('This is not valid', { json: { message: 'is' } })).toBe('This is not valid');
	});
});

describe('an answer that repeats a secret', () => {
	it.each([
		['{"key":"s3cret-key"}', '{"key":"***"}'],
		['Basic s3cret-key failed', 'Basic *** failed'],
		['{"said":"apikey_s3cret-key"}', '{"said":"apikey_***"}'],
		['https://example.com/?key%3Ds3cret-key2', 'https://example.com/?key%3D***2'],
		['{"key":"other"}', '{"key":"other"}'],
	])('%s becomes %s', (text, expected) => {
		expect(withoutSecrets(text, ['s3cret-key'])).toBe(expected);
	});

	it.each([
		['{"id":"1kudosity2"}', '{"id":"1kudosity2"}'],
		['{"said":"secret kudosity is wrong"}', '{"said":"secret *** is wrong"}'],
	])('keeps a longer word that a made-up secret is only a part of: %s', (text, expected) => {
		expect(withoutSecrets(text, ['s3cret-key'], ['kudosity'])).toBe(expected);
	});

	it.each([
		['{"number":61491570006}', '{"number":61491570006}'],
		['[ 61491570006 , 1]', '[ 61491570006 , 1]'],
		['{"key":"61491570006"}', '{"key":"***"}'],
		['Basic 61491570006', 'Basic ***'],
	])('stays readable when the secret is a number (%s)', (text, expected) => {
		expect(withoutSecrets(text, ['61491570006'])).toBe(expected);
	});

	it.each([
		[String.raw`{"error":"Key \u0027s3cret-key\u0027 is unknown"}`, "Key '***' is unknown"],
		[String.raw`{"error":"wrong key:\ns3cret-key"}`, 'wrong key:\n***'],
		[String.raw`{"error":"\u0073\u0033cret-key"}`, '***'],
		[String.raw`{"error":"not ab\/cd+ef=="}`, 'not ***'],
		[String.raw`{"error":"not q\"uo\\te"}`, 'not ***'],
	])('loses it also where JSON spells it with escapes: %s', (text, error) => {
		const cleaned = withoutSecrets(text, ['s3cret-key', 'ab/cd+ef==', 'q"uo\\te']);
		expect(JSON.parse(cleaned)).toEqual({ error });
	});

	it('loses it in names, and in texts that look like a number of the JSON', () => {
		const text = '{"key 61491570006":{"said":"[61491570006]","id":61491570006}}';
		expect(JSON.parse(withoutSecrets(text, ['61491570006']))).toEqual({
			'key ***': { said: '[***]', id: 61491570006 },
		});
	});

	it.each([String.raw`{"text":"\n"}`, String.raw`<p>\n</p>`, '{"id":12345678901234567890}'])(
		'stays as it came without one: %s',
		(text) => {
			expect(withoutSecrets(text, ['s3cret-key'])).toBe(text);
		},
	);

	it('stays too deep to be read', () => {
		const text = `{"s3cret-key":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
		const cleaned = withoutSecrets(text, ['s3cret-key']);
		expect(cleaned).not.toContain('s3cret-key');
		expect(isDeeperThan(deepestLevel, JSON.parse(cleaned))).toBe(true);
	});

	it('is left alone where the secret is as short as an ordinary word', () => {
		expect(withoutSecrets('{"status":"sent"}', ['sent'])).toBe('{"status":"sent"}');
	});
});
