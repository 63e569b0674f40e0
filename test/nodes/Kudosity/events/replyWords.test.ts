import { describe, expect, it } from 'vitest';
import {
	asksToStop,
	choiceOf,
	defaultApproveWords,
	defaultDeclineWords,
	isAmong,
} from '../../../seams.ts';

describe('isAmong', () => {
	it.each([
		['yes'],
		['YES'],
		[' Yes. '],
		['y e s'.replace(/ /g, '')],
		['“Yes!”'],
		['Yes\nplease'],
		['ＹＥＳ'],
		['\u200bok\u200b'],
		['👍'],
		['👍🏿'],
		['👍\ufe0f'],
		['sí'],
		['Si'],
		['да'],
		['はい'],
		['हाँ'],
		['نعم'],
	])('finds a yes in “%s”', (text) => {
		expect(isAmong(defaultApproveWords, text)).toBe(true);
		expect(isAmong(defaultDeclineWords, text)).toBe(false);
	});

	it.each([['No'], ['no, thanks'], ['NEIN!'], ['nao'], ['Não'], ['нет'], ['👎🏽'], ['いいえ']])(
		'finds a no in “%s”',
		(text) => {
			expect(isAmong(defaultDeclineWords, text)).toBe(true);
			expect(isAmong(defaultApproveWords, text)).toBe(false);
		},
	);

	it.each([[''], ['?'], ['…'], ['not ok'], ['yes, but not today'], ['yesterday'], ['ok no']])(
		'finds neither in “%s”, since a guess could buy something',
		(text) => {
			expect(isAmong(defaultApproveWords, text)).toBe(false);
			expect(isAmong(defaultDeclineWords, text)).toBe(false);
		},
	);

	it('has no word for both', () => {
		expect(defaultApproveWords.filter((word) => isAmong(defaultDeclineWords, word))).toEqual([]);
	});
});

describe('choiceOf', () => {
	const days = ['Tuesday', 'Thursday, 3 pm', 'Neither'];

	it.each([
		['tuesday', 'Tuesday'],
		['THURSDAY 3PM', undefined],
		['thursday 3 pm', 'Thursday, 3 pm'],
		['1', 'Tuesday'],
		['2.', 'Thursday, 3 pm'],
		['(3)', 'Neither'],
		['#3', 'Neither'],
		['３', 'Neither'],
		['٢', 'Thursday, 3 pm'],
		['۲', 'Thursday, 3 pm'],
		['२.', 'Thursday, 3 pm'],
		['2️⃣', 'Thursday, 3 pm'],
		['٣ Neither', 'Neither'],
		['1) Tuesday', 'Tuesday'],
		['1 Neither', undefined],
		['0', undefined],
		['4', undefined],
		['99999999999', undefined],
		['', undefined],
		['!', undefined],
	])('reads “%s” as %s', (text, choice) => {
		expect(choiceOf(days, text)).toBe(choice);
	});

	it.each(Intl.supportedValuesOf('numberingSystem'))('reads the digits of %s', (system) => {
		const places = Array.from({ length: 99 }, (_, place) => `Place ${'x'.repeat(place)}`);
		const digits = new Intl.NumberFormat('en', { numberingSystem: system } as object);
		for (const number of [10, 23, 45, 67, 89]) {
			const text = digits.format(number);
			if (/^\p{Nd}+$/u.test(text)) expect(choiceOf(places, text)).toBe(places[number - 1]);
		}
	});

	it('takes a number for itself where the choices are numbers', () => {
		expect(choiceOf(['2', '4', '6'], '2')).toBe('2');
		expect(choiceOf(['2', '4', '6'], '3')).toBeUndefined();
	});

	it.each([
		['3', '3 pm'],
		['(3)', '3 pm'],
		['1', undefined],
		['10', undefined],
	])(
		'takes “%s” for the choice that begins with it, and never for a place beside such',
		(text, choice) => {
			expect(choiceOf(['2 pm', '3 pm', '4pm', '10:15', '10:45'], text)).toBe(choice);
		},
	);
});

describe('asksToStop', () => {
	it.each([['STOP'], ['stop.'], ['Unsubscribe'], ['Opt-out']])('hears “%s”', (text) => {
		expect(asksToStop(text, [])).toBe(true);
	});

	it('takes a stop word for an answer where it is one, but never STOP', () => {
		expect(asksToStop('Cancel', [])).toBe(true);
		expect(asksToStop('cancel', ['Keep', 'Cancel'])).toBe(false);
		expect(asksToStop('stop', ['Go', 'Stop'])).toBe(true);
	});
});
