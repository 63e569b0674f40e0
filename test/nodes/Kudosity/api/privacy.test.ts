import { describe, expect, it } from 'vitest';
import { withoutPrivateTexts, withoutSecrets } from '../../../../nodes/Kudosity/api/privacy.ts';
import type { ApiRequest } from '../../../../nodes/Kudosity/api/transport.ts';

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
	])('lose what the %s has as %s', (place, field, value) => {
		const sent = { json: undefined, [place]: { [field]: value } };
		expect(clean(`"${value}" is wrong`, sent)).toBe('"…" is wrong');
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
		['{"id":"1s3cret-key2"}', '{"id":"1s3cret-key2"}'],
		['{"key":"other"}', '{"key":"other"}'],
	])('%s becomes %s', (text, expected) => {
		expect(withoutSecrets(text, ['s3cret-key'])).toBe(expected);
	});

	it.each([
		['{"number":61491570006}', '{"number":61491570006}'],
		['[ 61491570006 , 1]', '[ 61491570006 , 1]'],
		['{"key":"61491570006"}', '{"key":"***"}'],
		['Basic 61491570006', 'Basic ***'],
	])('stays readable when the secret is a number (%s)', (text, expected) => {
		expect(withoutSecrets(text, ['61491570006'])).toBe(expected);
	});

	it('is left alone where the secret is as short as an ordinary word', () => {
		expect(withoutSecrets('{"status":"sent"}', ['sent'])).toBe('{"status":"sent"}');
	});
});
