import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, it } from 'vitest';
import { messageParts } from '../../../seams.ts';

const smile = '\u{1F600}';

describe('messageParts', () => {
	it.each([
		['', { encoding: 'GSM-7', parts: 1, length: 0 }],
		['a'.repeat(160), { encoding: 'GSM-7', parts: 1, length: 160 }],
		['a'.repeat(161), { encoding: 'GSM-7', parts: 2, length: 161 }],
		['a'.repeat(306), { encoding: 'GSM-7', parts: 2, length: 306 }],
		['a'.repeat(307), { encoding: 'GSM-7', parts: 3, length: 307 }],
		['Grüße, Ωmega @ £5\r\n', { encoding: 'GSM-7', parts: 1, length: 19 }],
		['^{}\\[~]|€\f', { encoding: 'GSM-7', parts: 1, length: 20 }],
		['a'.repeat(158) + '€', { encoding: 'GSM-7', parts: 1, length: 160 }],
		['a'.repeat(159) + '€', { encoding: 'GSM-7', parts: 2, length: 161 }],
		['ж'.repeat(70), { encoding: 'Unicode', parts: 1, length: 70 }],
		['ж'.repeat(71), { encoding: 'Unicode', parts: 2, length: 71 }],
		['ж'.repeat(134), { encoding: 'Unicode', parts: 2, length: 134 }],
		['ж'.repeat(135), { encoding: 'Unicode', parts: 3, length: 135 }],
		[smile.repeat(35), { encoding: 'Unicode', parts: 1, length: 70 }],
		[smile.repeat(36), { encoding: 'Unicode', parts: 2, length: 72 }],
	])('counts case %#', (text, expected) => {
		expect(messageParts(text)).toEqual(expected);
	});

	it('turns all of the text into Unicode because of one character', () => {
		const text = 'a'.repeat(100);
		expect(messageParts(text)).toMatchObject({ encoding: 'GSM-7', parts: 1 });
		// The typographic apostrophe that word processors insert, and a letter that only its capital is in the alphabet.
		expect(messageParts(`${text}\u2019`)).toMatchObject({ encoding: 'Unicode', parts: 2 });
		expect(messageParts(`${text}ç`)).toMatchObject({ encoding: 'Unicode', parts: 2 });
	});

	it('never splits an extended character between two parts', () => {
		// 306 units would fit, but the euro sign meets the end of the first part and moves on.
		const text = 'a'.repeat(152) + '€' + 'a'.repeat(152);
		expect(messageParts(text)).toEqual({ encoding: 'GSM-7', parts: 3, length: 306 });
	});

	it('never splits a surrogate pair between two parts', () => {
		const text = 'ж'.repeat(66) + smile + 'ж'.repeat(66);
		expect(messageParts(text)).toEqual({ encoding: 'Unicode', parts: 3, length: 134 });
	});

	it('agrees with sms-segments-calculator on any mixture of characters', () => {
		const gsm = fc.constantFrom(...'abc XYZ019@£ÅΔÆß!¡Ñ§¿àñü\n');
		const extended = fc.constantFrom(...'^{}\\[~]|€');
		const unicode = fc.constantFrom('ж', '語', 'ç', '\u2019', smile, '\u{1F680}');
		const texts = fc.oneof(
			fc.string({ unit: fc.oneof(gsm, extended), maxLength: 700 }),
			fc.string({ unit: fc.oneof(gsm, extended, unicode), maxLength: 700 }),
			fc.string({ unit: unicode, maxLength: 700 }),
		);
		fc.assert(
			fc.property(texts, (text) => {
				const reference = new SegmentedMessage(text);
				const encoding = reference.encodingName === 'GSM-7' ? 'GSM-7' : 'Unicode';
				expect(messageParts(text)).toMatchObject({ encoding, parts: reference.segmentsCount });
			}),
			{ numRuns: 500 },
		);
	});
});
