import { describe, expect, it } from 'vitest';
import {
	conversationDigest,
	writeAsk,
	type AskToken,
	expired,
	newestBeside,
	questionsAmong,
} from '../../../seams.ts';

const key = 'a-key-of-the-account';
const hourMs = 3_600_000;
const nowMs = Date.parse('2026-01-31T09:00:00Z');
const ask = (changes: Partial<AskToken> = {}): AskToken => ({
	nonce: 'n-1',
	person: conversationDigest(key, '61491570006', '61491570156'),
	askedMs: nowMs,
	untilMs: nowMs + hourMs,
	...changes,
});
const webhook = (id: string, text: string) => ({
	id,
	name: 'n8n: Desk - Ask',
	url: `https://n8n.example.com/webhook-waiting/1/node?ask=${text}&signature=abc`,
});

const read = (text: string) => questionsAmong([webhook('w-1', text)], key);

describe('the mark in the address of a question', () => {
	it('comes back as it was written', () => {
		expect(read(writeAsk(key, ask()))).toEqual([{ ...ask(), webhookId: 'w-1' }]);
	});

	it('does not name the person', () => {
		expect(writeAsk(key, ask())).not.toContain('61491570006');
	});

	it.each([
		['another key', writeAsk('another-key', ask())],
		['a changed person', writeAsk(key, ask()).replace(/\.[^.]+/, '.AAAAAAAAAAAAAAAA')],
		['a later end', writeAsk(key, ask()).replace(/\.([^.]+)\.([^.]+)$/, '.zzzzzzzz.$2')],
		['no mark', writeAsk(key, ask()).replace(/\.[^.]+$/, '')],
		['an empty mark', writeAsk(key, ask()).replace(/[^.]+$/, '')],
		['any text', 'a.b.c.d.e'],
		['nothing', ''],
	])('counts for nothing with %s', (_, text) => {
		expect(read(text)).toEqual([]);
	});
});

describe('the questions among the webhooks of an account', () => {
	it('are those with our mark alone', () => {
		const others = [
			{ id: 'w-2', name: 'n8n: question until 2020-01-01', url: 'https://example.com/?ask=1' },
			{ id: 'w-3', url: `https://example.com/hook?token=${'x'.repeat(43)}` },
			{ id: 'w-4', url: 7 },
			{ id: 'w-5' },
			webhook('w-6', writeAsk('another-key', ask())),
			{ ...webhook('', writeAsk(key, ask())), id: '' },
		];
		const found = questionsAmong([webhook('w-1', writeAsk(key, ask())), ...others], key);
		expect(found).toEqual([{ ...ask(), webhookId: 'w-1' }]);
	});

	it('are swept some minutes after their end, since clocks differ', () => {
		const at = (untilMs: number) => ({ ...ask({ untilMs }), webhookId: String(untilMs) });
		const open = [at(nowMs + 1), at(nowMs), at(nowMs - 9 * 60_000)];
		expect(expired([...open, at(nowMs - 11 * 60_000)], nowMs)).toEqual([at(nowMs - 11 * 60_000)]);
	});
});

describe('the newest of several questions', () => {
	const other = (changes: Partial<AskToken>) => [
		{ ...ask({ nonce: 'n-2', askedMs: nowMs + 1000, ...changes }), webhookId: 'w-2' },
	];
	const none = {
		apiKey: key,
		id: 'mo-1',
		nowMs,
		isAnswered: () => false,
		contact: '61491570006',
		sender: '61491570156',
		eventType: 'SMS_INBOUND',
		writtenMs: nowMs,
	};
	const own = { ...ask(), isEarly: false };

	it('finds the latest of later questions to the same person', () => {
		const later = [...other({ askedMs: nowMs + 2000, nonce: 'n-3' }), ...other({})];
		expect(newestBeside(later, own, none)?.nonce).toBe('n-3');
	});

	it.each([
		['an earlier one', other({ askedMs: nowMs - 1000 })],
		[
			'one to somebody else',
			other({ person: conversationDigest(key, '61491571266', '61491570156') }),
		],
		['one whose time is over', other({ untilMs: nowMs - 1 })],
		['itself', [{ ...ask(), webhookId: 'w-1' }]],
	])('does not count %s', (_, questions) => {
		expect(newestBeside(questions, own, none)).toBeUndefined();
	});

	it('counts one that is matched by its message only where it gets the reply', () => {
		const filtered = other({}).map((each) => ({ ...each, filter: { message_ref: ['n-2'] } }));
		const replyTo = (quoted?: string) =>
			newestBeside(filtered, own, { ...none, quoted }) !== undefined;
		expect([replyTo('n-2'), replyTo('by-the-way'), replyTo()]).toEqual([true, false, false]);
	});

	it.each([
		['by RCS with a fallback SMS', 'Agent', { sender: ['Agent', '+61491570156'] }, true],
		['by RCS alone', 'Agent', { sender: ['Agent'] }, false],
		['by another channel', '61491570156', { event_type: ['WHATSAPP_INBOUND'] }, false],
		['that hears everything', '61491570156', { sender: [], event_type: [] }, true],
	])('tells one %s', (_, from, filter, counts) => {
		const person = conversationDigest(key, '61491570006', from);
		const asked = other({ person }).map((each) => ({ ...each, filter }));
		expect(newestBeside(asked, own, none) !== undefined).toBe(counts);
	});

	it.each([
		['has not been sent yet', Infinity, {}, undefined],
		['has not been sent yet, but is quoted', Infinity, { quoted: 'n-2' }, 'n-2'],
		['was sent in the second after', nowMs + 1000, {}, undefined],
		['was sent in the same second', nowMs + 999, {}, 'n-2'],
		['was sent before', nowMs - 1000, {}, 'n-2'],
		['was sent when nobody says the time of the reply', nowMs + 1000, { writtenMs: NaN }, 'n-2'],
		['has not been sent, when nobody says that time', Infinity, { writtenMs: NaN }, undefined],
	])('takes a later one that %s for %s', (_, sentMs, changes, newest) => {
		const asked = other({}).map((each) => ({ ...each, sentMs }));
		expect(newestBeside(asked, own, { ...none, ...changes })?.nonce).toBe(newest);
	});

	it('finds an earlier one where its own came after the reply, or where the reply quotes it', () => {
		const earlier = other({ askedMs: nowMs - 1000 });
		expect(newestBeside(earlier, { ...own, isEarly: true }, none)?.nonce).toBe('n-2');
		expect(newestBeside(earlier, own, { ...none, quoted: 'n-2' })?.nonce).toBe('n-2');
	});

	it('does not count one that was answered a moment ago', () => {
		const isAnswered = (webhookId: string) => webhookId === 'w-2';
		expect(newestBeside(other({}), own, { ...none, isAnswered })).toBeUndefined();
	});

	it('lets exactly one of two of the same millisecond have the reply', () => {
		const [one, two] = [ask({ nonce: 'a' }), ask({ nonce: 'b' })];
		const both = [one, two].map((each) => ({ ...each, webhookId: each.nonce }));
		expect(
			[one, two].map((each) => newestBeside(both, { ...each, isEarly: false }, none)?.nonce),
		).toEqual(['b', undefined]);
	});
});

describe('a question to a person with two spellings of one number', () => {
	it.each([
		['525512345678', '5215512345678'],
		['541123456789', '5491123456789'],
		['5511997654321', '551197654321'],
	])('has one digest for %s and %s', (one, other) => {
		expect(conversationDigest(key, other, 'Acme')).toBe(conversationDigest(key, one, 'Acme'));
		expect(conversationDigest(key, other, 'Acme')).not.toBe(conversationDigest(key, one, 'Other'));
	});
});
