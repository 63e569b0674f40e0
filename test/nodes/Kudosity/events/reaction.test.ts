import { describe, expect, it } from 'vitest';
import { changed, sampleEvent } from '../../../fixtures/events/index.ts';
import {
	classifyReply,
	type Question,
	readEvent,
	simplifyEvent,
	simplifyMessage,
} from '../../../seams.ts';

const asked = 'See you at 9? Reply “yes” or call Sam – he’s in.';

/** The event of an SMS with this text, which quotes the latest message to the person, if there was one. */
const received = (text: string, latest?: string | null) => {
	const name = latest === undefined ? 'smsInboundWithoutLastMessage' : 'smsInbound';
	const event = changed(sampleEvent(name), 'mo.message', text);
	return readEvent(
		latest === undefined ? event : changed(event, 'mo.last_message.message', latest),
	)!;
};
const recordOf = (text: string, latest?: string | null) =>
	simplifyEvent(received(text, latest).event!);

const contact = '61491578888';
const sender = '61491570006';
const kindFor = (question: Partial<Question>, text: string, latest?: string | null) =>
	classifyReply(
		{
			ask: 'a',
			reference: 'r',
			contact,
			senders: [sender],
			responseType: 'freeText',
			onUnexpectedReply: 'keepWaiting',
			...question,
		},
		received(text, latest),
	).kind;

const reactionsToAsked = [
	`Liked “${asked}”`,
	`Loved “${asked}”`,
	`Laughed at “${asked}”`,
	`Emphasized “${asked}”`,
	`Emphasised “${asked}”`,
	`Questioned “${asked}”`,
	`Disliked “${asked}”`,
	`Reacted 👍 to “${asked}”`,
	`Reacted 👍🏽 to “${asked}”`,
	`Reacted ❤️ to “${asked}”`,
	`Reacted 👨‍👩‍👧 to “${asked}”`,
	`Reacted 🇦🇺 to “${asked}”`,
	`Reacted 🏴󠁧󠁢󠁷󠁬󠁳󠁿 to “${asked}”`,
	`Reacted 1️⃣ to “${asked}”`,
	`Reacted ‼️ to “${asked}”`,
	`Reacted with a sticker to “${asked}”`,
	`Removed a like from “${asked}”`,
	`Removed a heart from “${asked}”`,
	`Removed a dislike from “${asked}”`,
	`Removed a laugh from “${asked}”`,
	`Removed an exclamation from “${asked}”`,
	`Removed a question mark from “${asked}”`,
	`Removed 👍 from “${asked}”`,
	`Removed a 👍 from “${asked}”`,
	`👍 to “${asked}”`,
	`\u200a\u200b👍\u200b to “\u200a${asked}\u200a”\u200a`,
	`\u200aRemoved \u200c👍\u200c from “\u200a${asked}\u200a”\u200a`,
	`\u200a\u200b❤️\u200b to “\u200aSee you at 9? Reply…\u200a”\u200a`,
	'Liked “See you at 9?”',
	'Liked “See you at 9? Reply “yes” or call…”',
	'Liked “See you at 9? Reply “yes” or call ...”',
	// Straight, as a carrier may make them.
	'Liked "See you at 9?"',
	`Liked "See you at 9? Reply "yes" or call Sam - he's in."`,
	'Liked “See you\nat 9?”',
	' Liked “See you at 9?” \n',
];

const filesReactedTo = [
	'Liked an image',
	'Loved an image',
	'Laughed at an image',
	'Disliked a photo',
	'Emphasized a movie',
	'Questioned a video',
	'Loved an attachment',
	'Liked 2 photos',
	'Laughed at an audio message',
	'Reacted 👍 to an image',
	'👍 to a photo',
	'\u200a\u200b👍\u200b to an image\u200a',
	'Removed a heart from an image',
	'Removed a like from a movie',
	' Liked an image\n',
];

/** What people write, whatever the latest message to them was. */
const texts = [
	'Loved “Hamilton”',
	'Loved “Hamilton”, hated “Cats”',
	'Liked “See you at 9?” and will be there',
	'Liked “See you at 9?”, but at 10 please',
	'Liked “See you at 9?” “OK”',
	'Liked “See you at 9',
	'Liked See you at 9?',
	'Liked it',
	'Liked the image',
	'Liked an image of yours',
	'Liked an image. Which one was it?',
	'Loved a photo and a video',
	'I Liked an image',
	'Loved',
	'Liked',
	'Loved it! “See you at 9?”',
	'Reacted badly to “ibuprofen”',
	'Reacted badly to “See you at 9?”',
	'Reacted to “See you at 9?”',
	'Reacted 👍',
	'👍',
	'👍👍',
	'👍 to that',
	'👍 See you at 9?',
	'👍 “See you at 9?”',
	'👍 to Sam: “See you at 9?”',
	'Removed a stitch from “See you at 9?”',
	'Removed a tooth',
	'Removed from “See you at 9?”',
	'Removed a like',
	'“See you at 9?”',
	'See you at 9? Liked “yes”',
	'You liked “See you at 9?”',
	'Questioned by “the police”',
	'STOP',
	'',
];

describe('a text that a phone sends for a reaction', () => {
	it.each(reactionsToAsked)('is one if it quotes the latest message: %j', (text) => {
		expect(recordOf(text, asked)).toMatchObject({ isReaction: true, isOptOutKeyword: false, text });
		expect(recordOf(text, asked)).not.toHaveProperty('keyword');
	});

	it.each(reactionsToAsked.filter((text) => !text.includes('"')))(
		'is one if nobody knows the latest message: %j',
		(text) => {
			expect(recordOf(text).isReaction).toBe(true);
			expect(recordOf(text)).not.toHaveProperty('keyword');
			// Such as an MMS without a text.
			expect(recordOf(text, null).isReaction).toBe(true);
		},
	);

	it.each(filesReactedTo)('is one without a quote: %j', (text) => {
		expect(recordOf(text).isReaction).toBe(true);
		expect(recordOf(text, asked).isReaction).toBe(true);
		expect(recordOf(text)).not.toHaveProperty('keyword');
	});

	it.each(texts)('is none: %j', (text) => {
		expect(recordOf(text, asked).isReaction).toBe(false);
		expect(recordOf(text, asked).isOptOutKeyword).toBe(text === 'STOP');
	});

	it.each(texts.filter((text) => !/^(Loved “Hamilton”)$/.test(text)))(
		'is none either if nobody knows the latest message: %j',
		(text) => {
			expect(recordOf(text).isReaction).toBe(false);
		},
	);

	it.each([
		'Liked “ee you at 9?”',
		'Liked “Reply “yes””',
		'Liked “See you at 10?”',
		'Liked “See you at 9? Reply with…”',
		`Liked “${asked} Sam”`,
		'Liked “STOP”',
		'👍 to “Sam”',
		'Removed a heart from “Sam”',
	])('is none if its quote does not begin the message that we know: %j', (text) => {
		expect(recordOf(text, asked).isReaction).toBe(false);
	});

	it.each([
		'Liked "See you at 9?"',
		'Liked ‘See you at 9?’',
		'Liked «See you at 9?»',
		'Loved “Hamilton” and “Cats”',
		'Loved “Hamilton” “Cats”',
		'Loved "Hamilton”',
	])('is none in other quotes if nobody knows the message: %j', (text) => {
		expect(recordOf(text).isReaction).toBe(false);
	});

	it('is no opt-out', () => {
		const record = recordOf('Liked “STOP”', 'STOP');
		expect(record).toMatchObject({ isReaction: true, isOptOutKeyword: false });
		expect(kindFor({ sent: ['Keep or stop?'] }, 'Liked “STOP”', 'STOP')).toBe('other');
		expect(recordOf('Liked “STOP”')).toMatchObject({ isReaction: true, isOptOutKeyword: false });
	});

	it('is read in its stride, however long it is', () => {
		const long = 'a“'.repeat(50_000);
		expect(recordOf(`Liked “${long}”`, long).isReaction).toBe(true);
		expect(recordOf(`Liked “${long}a`, long).isReaction).toBe(false);
		expect(recordOf(`👍${'👍'.repeat(50_000)}`).isReaction).toBe(false);
	});
});

describe('a reaction of RCS or WhatsApp', () => {
	it.each([
		['RCS_INBOUND', 'rcsInboundText', 'REACTION'],
		['WHATSAPP_INBOUND', 'whatsappInboundReaction', 'reaction'],
	])('is one in the record, too: %s', (_, name, type) => {
		const reaction = { reaction: { action: 'react', emoji: '👍' } };
		const event = changed(
			changed(sampleEvent(name), 'mo.content', reaction),
			'mo.content_type',
			type,
		);
		const record = simplifyEvent(readEvent(event)!.event!);
		expect(record).toMatchObject({ isReaction: true, isOptOutKeyword: false });
		expect(record).not.toHaveProperty('keyword');
	});

	it('is not what a text is', () => {
		expect(simplifyEvent(readEvent(sampleEvent('rcsInboundText'))!.event!).isReaction).toBe(false);
	});
});

describe('a received message in a list', () => {
	const simplified = (message: object) =>
		simplifyMessage('SMS', { direction: 'IN', sender: contact, recipient: sender, ...message });

	it.each([
		['Liked “See you at 9?”', true],
		['Liked an image', true],
		['Loved “Hamilton”, hated “Cats”', false],
		['Yes', false],
	])('says of “%s” whether it is a reaction: %s', (message, isReaction) => {
		expect(simplified({ message })).toMatchObject({ isReaction });
	});

	it('says so of WhatsApp’s', () => {
		const content = { reaction: { action: 'react', emoji: '👍' } };
		expect(simplified({ content_type: 'reaction', content })).toMatchObject({ isReaction: true });
	});

	it('is none of those that were sent', () => {
		const sent = simplified({ direction: 'OUT', message: 'Liked an image' });
		expect(sent).not.toHaveProperty('isReaction');
	});
});

describe('a question', () => {
	const choices = ['Liked an image', 'Other'];

	it.each(['freeText', 'approval', 'choice'] as const)(
		'of type %s is not answered by one',
		(responseType) => {
			for (const onUnexpectedReply of ['keepWaiting', 'continue'] as const) {
				const question = { choices, responseType, onUnexpectedReply, sent: [asked] };
				for (const text of [...reactionsToAsked, ...filesReactedTo]) {
					expect([text, kindFor(question, text)]).toEqual([text, 'other']);
					// The service quotes the latest message, which may be another.
					expect([text, kindFor(question, text, 'Bye')]).toEqual([text, 'other']);
				}
			}
		},
	);

	it.each(texts.filter((text) => text !== '' && text !== 'STOP'))(
		'for any text is answered by “%s”',
		(text) => {
			expect(kindFor({ sent: [asked] }, text)).toBe('answer');
			expect(kindFor({ sent: [asked] }, text, asked)).toBe('answer');
		},
	);

	it('knows its own message, its fallback, its explanation and the latest message', () => {
		const sent = ['Which show did you love?', 'Which show?'];
		const question = { sent, unexpectedReplyMessage: 'Please name one' };
		for (const text of [...sent, 'Please name one', 'Thank you']) {
			expect(kindFor(question, `Liked “${text}”`, 'Thank you')).toBe('other');
		}
		expect(kindFor(question, 'Loved “Hamilton”', 'Thank you')).toBe('answer');
		expect(kindFor(question, 'Loved “Hamilton”')).toBe('answer');
	});

	it('of which no text is known, as of a template or in an execution of before, goes by the quotes', () => {
		expect(kindFor({}, 'Loved “Hamilton”')).toBe('other');
		expect(kindFor({}, 'Loved "Hamilton"')).toBe('answer');
		expect(kindFor({ sent: [] }, 'Loved “Hamilton” and “Cats”')).toBe('answer');
	});
});
