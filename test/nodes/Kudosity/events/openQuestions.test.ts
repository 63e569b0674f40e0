import { describe, expect, it } from 'vitest';
import {
	conversationDigestOf,
	encodeQuestionToken,
	findOwner,
	isExpired,
	messageDigestOf,
	questionsAmong,
	type QuestionToken,
} from '../../../seams.ts';

const apiKey = 'a-key-of-the-account';
const contact = '61491570006';
const sender = '61491570156';
const nowMs = Date.parse('2026-01-31T09:00:00Z');
const hourMs = 3_600_000;

type Changes = Partial<QuestionToken> & { filter?: object; key?: string; words?: string };

const tokenOf = (changes: Changes): QuestionToken => ({
	nonce: 'own',
	conversationDigest: conversationDigestOf(apiKey, contact, sender),
	askedMs: nowMs,
	expiresMs: nowMs + hourMs,
	...changes,
});

/** A question's webhook, which the service created so many seconds after “own”. */
const webhook = (nonce: string, createdAfterS: number, changes: Changes = {}) => {
	const { filter, key = apiKey, words = '', ...said } = changes;
	const token = encodeQuestionToken(key, tokenOf({ nonce, ...said }));
	return {
		id: nonce,
		name: 'Renamed by hand',
		url: `https://n8n.example.com/webhook-waiting/1/node?ask=${token}&words=${words}&signature=abc`,
		created_at: new Date(nowMs + createdAfterS * 1000).toISOString(),
		filter: filter ?? { event_type: ['SMS_INBOUND'], sender: [sender] },
	};
};

const writtenBy = (from: object, at = 60) => ({
	...{ id: 'mo', text: 'Yes', contact, sender, eventType: 'SMS_INBOUND', hasQuote: false },
	writtenMs: nowMs + at * 1000,
	...from,
});

/** The question that gets the message instead of “own”, in the eyes of “own”. */
const ownerOf = (others: object[], from: object = {}, at?: number, readMs = nowMs) => {
	const questions = questionsAmong([webhook('own', 0), ...others] as never, apiKey);
	const hasEnded = (id: string) => id === 'ended';
	const reading = { message: writtenBy(from, at), apiKey, nowMs: readMs, hasEnded };
	return findOwner(questions, reading, 'own')?.nonce;
};

/** The webhook of a question that this message has ended. */
const endedWith = (nonce: string, id: string) => ({
	event_type: ['OPT_OUT'],
	message_ref: [messageDigestOf(apiKey, nonce, id)],
});

const stranger = conversationDigestOf(apiKey, '61491571266', sender);
const agent = conversationDigestOf(apiKey, contact, 'Agent');

describe('of “own” and others, a message goes to', () => {
	it('the newer one, if that was still open when the message was written', () => {
		const others = [webhook('new', 30, { expiresMs: nowMs + 90_000 })];
		expect(ownerOf(others, {}, 60, nowMs + 120_000)).toBe('new');
		expect(ownerOf(others, {}, 100, nowMs + 120_000)).toBeUndefined();
		expect(ownerOf(others, { writtenMs: NaN }, 60, nowMs + 120_000)).toBeUndefined();
	});

	it.each<[string, object[], string | undefined, object?, number?]>([
		['a newer one', [webhook('new', 30)], 'new'],
		['own, if the other is older', [webhook('old', -30)], undefined],
		['the newest of three', [webhook('new', 10), webhook('newest', 20)], 'newest'],
		['own, if the newer was created after the message', [webhook('new', 90)], undefined],
		['the newer, if both are of the same second', [webhook('new', 60.9)], 'new'],
		[
			'the newer, if nobody knows when the message was written',
			[webhook('new', 90)],
			'new',
			{ writtenMs: NaN },
		],
		[
			'the newer by the clock of the service, whatever the n8ns say',
			[webhook('new', 30, { askedMs: nowMs - hourMs })],
			'new',
		],
		[
			'the newer by those of the n8ns, if the service does not say',
			[{ ...webhook('new', 30, { askedMs: nowMs + 1000 }), created_at: 'yesterday' }],
			'new',
		],
		['an older one that it quotes', [webhook('old', -30)], 'old', { quoted: 'old' }],
		[
			'a newer one that it quotes, though written before',
			[webhook('new', 90)],
			'new',
			{ quoted: 'new' },
		],
		[
			'own, if the newer asks somebody else',
			[webhook('new', 30, { conversationDigest: stranger })],
			undefined,
		],
		[
			'own, if the time of the newer is over',
			[webhook('new', 30, { expiresMs: nowMs })],
			undefined,
		],
		['own, if another message ended the newer a moment ago', [webhook('ended', 30)], undefined],
		[
			'own, if another message ended the newer, by the account',
			[webhook('new', 30, { filter: endedWith('new', 'another') })],
			undefined,
		],
		[
			'the one it ended, if that is newer',
			[webhook('new', 30, { filter: endedWith('new', 'mo') })],
			'new',
		],
		[
			'the one it ended, if that is older',
			[webhook('old', -30, { filter: endedWith('old', 'mo') })],
			'old',
		],
		[
			'own, if the newer receives only what quotes it',
			[webhook('new', 30, { filter: { message_ref: ['new'] } })],
			undefined,
		],
		[
			'own, if the newer receives WhatsApp alone',
			[webhook('new', 30, { filter: { event_type: ['WHATSAPP_INBOUND'] } })],
			undefined,
		],
		[
			'a newer one by RCS whose fallback SMS has this number',
			[
				webhook('new', 30, {
					conversationDigest: agent,
					filter: { sender: ['Agent', `+${sender}`] },
				}),
			],
			'new',
		],
		[
			'own, if the newer by RCS has no fallback SMS',
			[webhook('new', 30, { conversationDigest: agent, filter: { sender: ['Agent'] } })],
			undefined,
		],
		['a newer one without a filter', [webhook('new', 30, { filter: {} })], 'new'],
		[
			'own, if the newer was signed with another key',
			[webhook('new', 30, { key: 'x' })],
			undefined,
		],
	])('%s', (_, others, owner, from, at) => {
		expect(ownerOf(others, from, at)).toBe(owner);
	});

	it('exactly one, if the service created both in the same millisecond', () => {
		expect([ownerOf([webhook('z', 0)]), ownerOf([webhook('a', 0)])]).toEqual(['z', undefined]);
	});
});

describe('the token in the address of a question', () => {
	const read = (text: string) =>
		questionsAmong([{ id: 'w-1', url: `https://n8n.example.com/w?ask=${text}` }], apiKey);
	const token = encodeQuestionToken(apiKey, tokenOf({}));

	it('comes back as it was written, and does not name the person', () => {
		expect(read(token)).toMatchObject([{ ...tokenOf({}), webhookId: 'w-1' }]);
		expect(token).not.toContain(contact);
	});

	it.each([
		['another key', encodeQuestionToken('another-key', tokenOf({}))],
		['a changed person', token.replace(/\.[^.]+/, '.AAAAAAAAAAAAAAAA')],
		['a later end', token.replace(/\.([^.]+)\.([^.]+)$/, '.zzzzzzzz.$2')],
		['no signature', token.replace(/\.[^.]+$/, '')],
		['an empty signature', token.replace(/[^.]+$/, '')],
		['any text', 'a.b.c.d.e'],
		['nothing', ''],
	])('counts for nothing with %s', (_, text) => {
		expect(read(text)).toEqual([]);
	});
});

describe('the questions among the webhooks of an account', () => {
	it('are those with our signature and an ID alone', () => {
		const others = [
			{ id: 'w-2', name: 'n8n: question until 2020-01-01', url: 'https://example.com/?ask=1' },
			{ id: 'w-3', url: `https://example.com/hook?token=${'x'.repeat(43)}` },
			{ id: 'w-4', url: 7 },
			{ id: 'w-5' },
			{ ...webhook('w-6', 0), id: '' },
		];
		const found = questionsAmong([webhook('w-1', 0), ...others] as never, apiKey);
		expect(found).toMatchObject([{ webhookId: 'w-1' }]);
	});

	it('are expired some minutes after their end, since clocks differ', () => {
		const minutes = [1, 0, -9, -11];
		const webhooks = minutes.map((each) =>
			webhook(`${each}`, 0, { expiresMs: nowMs + each * 60_000 }),
		);
		const questions = questionsAmong(webhooks as never, apiKey);
		const found = questions.filter((each) => isExpired(each, nowMs));
		expect(found.map(({ webhookId }) => webhookId)).toEqual(['-11']);
	});
});

describe('a question to a person with two spellings of one number', () => {
	it.each([
		['525512345678', '5215512345678'],
		['541123456789', '5491123456789'],
		['5511997654321', '551197654321'],
	])('has one digest for %s and %s', (one, other) => {
		expect(conversationDigestOf(apiKey, other, 'Acme')).toBe(
			conversationDigestOf(apiKey, one, 'Acme'),
		);
		expect(conversationDigestOf(apiKey, other, 'Acme')).not.toBe(
			conversationDigestOf(apiKey, one, 'Other'),
		);
	});
});
