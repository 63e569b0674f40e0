import { describe, expect, it } from 'vitest';
import { readErrorBody, codeOfRefusal } from '../../../seams.ts';

/** The code for an answer of the service, as it arrives. */
const codeOf = (status: number, body: unknown, namesRecord = false) =>
	codeOfRefusal({
		status,
		namesRecord,
		...(readErrorBody(body) ?? { code: `HTTP_${status}` }),
	});

/** The newer API's answer to values that it does not take. */
const problem = (...issues: object[]) => ({
	error: {
		type: 'https://developers.kudosity.com/reference/errors#input-validation',
		title: 'Invalid Request',
		detail: 'Request validation failed',
		status: 400,
		issues,
	},
});

describe('a refused send', () => {
	it.each([
		['recipient', 'recipient has opted out'],
		['recipient', 'The recipient provided was previously opted out'],
		['recipient', 'Recipient is opted-out'],
		['recipient', 'opt-out on file'],
		['recipient', 'number has unsubscribed'],
		['to', 'Contact is blocked'],
		['recipients[0]', 'optout'],
	])('is told from others when the recipient has opted out: %s, %s', (name, message) => {
		expect(codeOf(400, problem({ name, message }))).toBe('opted_out');
		expect(codeOf(422, problem({ field: name, code: 2200, message }))).toBe('opted_out');
	});

	it.each([
		['sender', 'Sender not found'],
		['account_id', 'no WhatsApp sender found for this account'],
		['sender', 'sender is not registered'],
		['sender', 'unknown sender'],
		['from', 'number is inactive'],
	])('is told from others when the sender is not known: %s, %s', (name, message) => {
		expect(codeOf(400, problem({ name, message }))).toBe('invalid_sender');
	});

	it.each(['recipient is invalid', 'not a valid phone number', 'Number is not valid'])(
		'is told from others when the recipient is no number: %s',
		(message) => {
			expect(codeOf(400, problem({ name: 'recipient', message }))).toBe('invalid_number');
		},
	);

	it.each([
		['message', 'message must contain an [opt-out-link]'],
		['message', 'The opt-out link is blocked'],
		['sender', 'sender is required'],
		['recipient', 'recipient is required'],
		['recipient', 'recipient must be a string'],
		['message_ref', 'message_ref is invalid'],
		['', 'message is too long'],
	])('is not taken for one of those when it is about something else: %s, %s', (name, message) => {
		expect(codeOf(400, problem({ name, message }))).toBe('invalid_value');
	});

	it('counts as opted out before anything else is wrong', () => {
		const issues = [
			{ name: 'sender', message: 'Sender not found' },
			{ name: 'recipient', message: 'recipient has opted out' },
		];
		expect(codeOf(400, problem(...issues))).toBe('opted_out');
	});

	it('is read although another issue has an odd shape', () => {
		const issues = [{ name: 7 }, { name: 'recipient', message: 'recipient has opted out' }];
		expect(codeOf(400, problem(...issues))).toBe('opted_out');
	});

	it.each([
		[400, { error: 'The recipient has opted out' }, 'opted_out'],
		[403, { error: 'recipient unsubscribed' }, 'opted_out'],
		[400, { error: 'Sender not found' }, 'invalid_sender'],
		[400, { error: 'insufficient funds' }, 'no_balance'],
	])('is read from a plain sentence: %s %j', (status, body, code) => {
		expect(codeOf(status, body)).toBe(code);
	});

	it.each([
		[{ fails: [61491570006], optouts: [] }, 'invalid_number'],
		[{ fails: [], optouts: [61491570006] }, 'opted_out'],
		[{ fails: [61491570006], optouts: [61491570156] }, 'no_recipients'],
		['No valid recipients left after validation.', 'no_recipients'],
	])('of the older API says of an only recipient what it is: %j', (description, code) => {
		expect(codeOf(400, { error: { code: 'RECIPIENTS_ERROR', description } })).toBe(code);
	});
});

describe('a 404', () => {
	it('is about the record when the request names one', () => {
		expect(codeOf(404, { error: 'SMS not found' }, true)).toBe('not_found');
		expect(codeOf(404, undefined, true)).toBe('not_found');
	});

	it('is about the record when the service says so', () => {
		expect(codeOf(404, { error: 'sender registration not found' })).toBe('not_found');
	});

	it.each([
		undefined,
		{ error: 'Not Found' },
		{ error: '404 Page Not Found' },
		{ title: 'Not Found' },
	])('is about the address when the request names no record: %j', (body) => {
		expect(codeOf(404, body)).toBe('base_url');
	});
});

it.each([
	[401, 'credential'],
	[402, 'refused'],
	[403, 'not_allowed'],
	[409, 'already_exists'],
	[429, 'rate_limited'],
	[301, 'redirect'],
	[503, 'unavailable'],
])('reads a bare status %s as %s', (status, code) => {
	expect(codeOf(status, undefined)).toBe(code);
});

it('keeps to the status where the words cannot be about the message', () => {
	expect(codeOf(500, { error: 'recipient has opted out' })).toBe('unavailable');
	expect(codeOf(429, { error: 'sender blocked: recipient opted out' })).toBe('rate_limited');
});

it('takes a code that only looks like one of ours for what its status says', () => {
	const answer = { error: { code: 'constructor', description: 'no' } };
	expect(codeOf(400, answer)).toBe(codeOf(400, { error: { code: 'ELSE', description: 'no' } }));
});
