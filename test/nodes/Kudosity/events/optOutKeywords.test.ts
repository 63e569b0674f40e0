import { describe, expect, it } from 'vitest';
import { changed, sampleEvent } from '../../../fixtures/events/index.ts';
import { readEvent, simplifyEvent } from '../../../seams.ts';

/** The record of an SMS with this text. */
const recordOf = (text: string) =>
	simplifyEvent(readEvent(changed(sampleEvent('smsInbound'), 'mo.message', text))!.event!);
const keywordOf = (text: string) => recordOf(text).keyword;
const isOptOutKeyword = (text: string) => recordOf(text).isOptOutKeyword;

describe('keyword', () => {
	it.each([
		['yes', 'YES'],
		[' Yes! ', 'YES'],
		['YES please, at ten', 'YES'],
		['Yes,please', 'YES'],
		['yes/no', 'YES'],
		['“Ja”, gern', 'JA'],
		['#WIN2026', 'WIN2026'],
		['1', '1'],
		["don't call", 'DONT'],
		['opt-out', 'OPTOUT'],
		['état des lieux', 'ÉTAT'],
		['ＳＴＯＰ', 'STOP'],
		['\u200bSTOP', 'STOP'],
		['👍 yes', 'YES'],
		['❤️ yes', 'YES'],
		['1️⃣', '1'],
		['हाँ', 'हाँ'],
	])('takes %j for %s', (text, keyword) => {
		expect(keywordOf(text)).toBe(keyword);
	});

	it.each(['', '   ', '👍', '☺️', '?!', '...'])('finds none in %j', (text) => {
		expect(keywordOf(text)).toBeUndefined();
	});
});

describe('isOptOutKeyword', () => {
	it.each([
		'STOP',
		'STOPALL',
		'UNSUBSCRIBE',
		'CANCEL',
		'END',
		'QUIT',
		'REVOKE',
		'OPTOUT',
		'Stop',
		' stop. ',
		'STOP!!!',
		'"stop"',
		'Stop 🛑',
		'STOP ⛔️',
		'Unsubscribe ☹️',
		'ＳＴＯＰ',
		'st\u200bop',
	])('is true of %j', (text) => {
		expect(isOptOutKeyword(text)).toBe(true);
	});

	it.each(['opt out', 'Opt-Out', 'opt out.', 'STOP ALL', 'un-subscribe'])(
		'is true of %j, which is written in two words',
		(text) => {
			expect(isOptOutKeyword(text)).toBe(true);
		},
	);

	it.each([
		'Stop stop stop!!!',
		'STOP. Unsubscribe.',
		'Stop, cancel, quit',
		'Unsubscribe! '.repeat(3),
	])('is true of %j, which says it several times', (text) => {
		expect(isOptOutKeyword(text)).toBe(true);
	});

	it.each([
		'When does it end?',
		'The end',
		'end of May',
		'Stop by at ten',
		'cancel my appointment',
		'Please cancel',
		'I quit smoking',
		'STOPPED',
		'bus stop',
		'Stop stopping',
		'NO',
		'1',
		'',
		'🛑',
	])('is false of %j', (text) => {
		expect(isOptOutKeyword(text)).toBe(false);
	});

	it('takes a long message in its stride', () => {
		expect(isOptOutKeyword(`STOP ${'-'.repeat(100_000)}`)).toBe(true);
		expect(isOptOutKeyword(`STOP ${"a'".repeat(100_000)}`)).toBe(false);
		expect(keywordOf("a'".repeat(100_000))).toHaveLength(100_000);
	});
});
