import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../helpers/processorTime.ts';
import { runsAll } from '../../../helpers/runsAll.ts';
import { encodeSmartly } from '../../../seams.ts';

const typographic =
	'\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u00b4\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2026\t\u00a0\u2000\u2003\u2009\u202f\u205f\u3000\u2028\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff';

const textOf = (text: string): string => encodeSmartly(text)?.text ?? text;

/** Long enough that a typographic character makes it two parts. */
const long = (text: string): string => `${text} ${'x'.repeat(100)}`;

describe('Smart Encoding', () => {
	it('puts plain quotes, dashes, dots and spaces in the place of typographic ones', () => {
		const text = long('\u201cSam\u2019s\u201d 9\u20135 \u2014 it\u2019s\u00a0on\u2026');
		expect(encodeSmartly(text)).toEqual({
			text: long('"Sam\'s" 9-5 - it\'s on...'),
			replaced: [
				{ from: '\u201c', to: '"', count: 1 },
				{ from: '\u201d', to: '"', count: 1 },
				{ from: '\u2019', to: "'", count: 2 },
				{ from: '\u2013', to: '-', count: 1 },
				{ from: '\u2014', to: '-', count: 1 },
				{ from: '\u2026', to: '...', count: 1 },
				{ from: '\u00a0', to: ' ', count: 1 },
			],
			partsSaved: 1,
		});
	});

	it('knows each of its characters, and takes away those that do not show', () => {
		const text = `${typographic}${'x'.repeat(100)}`;
		expect(textOf(text)).toBe(`"""""""''''''''-------...${' '.repeat(8)}\n${'x'.repeat(100)}`);
	});

	it.each([
		['70 characters, which are one part anyway', `${'x'.repeat(69)}\u2019`],
		['160 that stay two parts', `${'x'.repeat(68)}${'\u2026'.repeat(31)}`],
		['71 dots that would be more parts than before', '\u2026'.repeat(134)],
		['a text that has an emoji', long('It\u2019s on \u{1F600}')],
		['a letter that GSM-7 lacks', long('\u201cZo\u00eb\u201d')],
		['a combining accent', long('\u201cZoe\u0308\u201d')],
		['a dotless i', long('s\u0131k\u0131\u015f\u2019')],
		['a fraction', long('1\u00bd tablets \u2013 now')],
		['a superscript', long('5 m\u00b2 \u2013 now')],
		['a currency sign', long('\u20b9500 \u2013 now')],
		['Arabic', long('\u0645\u0631\u062d\u0628\u0627 \u2013 \u00abSam\u00bb')],
		['a lone surrogate', long('\u2019\ud83d')],
		['a joined emoji', long('\u2019\u{1F468}\u200d\u{1F469}')],
		['a keycap', long('\u2019 1\ufe0f\u20e3')],
		['only characters that do not show', '\u200b'.repeat(200)],
		['a grave accent, as in a password', long('pa`ss\u2019')],
	])('leaves alone %s', (_, text) => {
		expect(encodeSmartly(text)).toBeUndefined();
	});

	/** Marks that a name, a number or an address has when it was copied from a contact, a web page or a PDF. */
	const marks = '\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
	it.each([
		...[...marks].flatMap((mark) => [`Hi ${mark}Sam${mark}, all is ready`, `Order ${mark}4711`]),
		'Call \u202a+61 491 570 006\u202c now',
		'Call \u2066+61 491 570 006\u2069 now',
		'Dear \u2068Zo\u00e9\u2069, all is ready',
		'Dear \u200eSam\u200e and \u200fAna\u200f',
		'\u202d12 Main St\u202c',
		'Sam\u200c\u200b\u200d',
		'\u200d\u200dHi Sam\u200d',
		'\u0394 is fine\u200e, \u00df too',
	])('takes away marks that plain text does not need: case %#', (text) => {
		const plain = [...text].filter((each) => !`${marks}\u200b`.includes(each)).join('');
		expect(encodeSmartly(long(text))?.text).toBe(long(plain));
	});

	it.each([
		'\u{1F468}\u200d\u{1F469}\u200d\u{1F467}',
		'\u{1F469}\u200d\u{1F4BB}',
		'\u{1F3F3}\ufe0f\u200d\u{1F308}',
		'\u2764\ufe0f\u200d\u{1F525}',
		'\u{1F9D1}\u{1F3FD}\u200d\u{1F680}',
		'\u{1F436}\u200e and Sam\u200e',
		// Persian, Arabic, Urdu, Hebrew, Syriac
		'\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
		'\u0647\u200d',
		'\u0645\u0631\u062d\u0628\u0627 \u200fSam\u200f!',
		'\u0645\u0631\u062d\u0628\u0627 \u202aSam\u202c',
		'\u0645\u0631\u062d\u0628\u0627 \u2066+61 491 570 006\u2069',
		'\u0634\u06a9\u0631\u06cc\u06c1\u200c',
		'\u05e9\u05dc\u05d5\u05dd \u200eSam\u200e',
		'\u05e9\u05dc\u05d5\u05dd\u200f!',
		'\u202b\u05e9\u05dc\u05d5\u05dd\u202c',
		'\u2067\u05e9\u05dc\u05d5\u05dd\u2069',
		'\u2068\u05e9\u05dc\u05d5\u05dd\u2069',
		'\u202e\u05e9\u05dc\u05d5\u05dd\u202c',
		'\u0710\u0712\u200d',
		// Hindi, Marathi, Bengali, Gujarati, Punjabi, Tamil, Telugu, Kannada, Malayalam, Sinhala, Nepali
		'\u0915\u094d\u200d\u0937',
		'\u0930\u094d\u200d\u092f',
		'\u0995\u09cd\u200c\u09b7',
		'\u0aa8\u0acd\u200d\u0aa8',
		'\u0a15\u0a4d\u200d\u0a39',
		'\u0b95\u0bcd\u200c\u0bb7',
		'\u0c15\u0c4d\u200c\u0c37',
		'\u0cb0\u200d\u0ccd\u0c95',
		'\u0d28\u0d4d\u200d',
		'\u0dc1\u0dca\u200d\u0dbb\u0dd3',
		'\u0928\u0947\u092a\u093e\u0932\u200c',
		// Khmer, Mongolian
		'\u1781\u17d2\u200c\u1798',
		'\u182a\u200d',
		'https://example.com/\u200e',
	])('leaves marks where an emoji, a script or a link needs them: case %#', (text) => {
		expect(encodeSmartly(long(text))).toBeUndefined();
	});

	it.each([
		['\u2026'.repeat(51) + 'x'.repeat(20), undefined],
		['\u2026'.repeat(40) + 'x'.repeat(40), 1],
		['x'.repeat(159) + '\u2019', 2],
		['x'.repeat(160) + '\u2019', 1],
		['x'.repeat(70) + '\u2019', 1],
		['\u20ac'.repeat(79) + 'x\u2019', 1],
		['\u20ac'.repeat(80) + '\u2019', undefined],
		['^{}\\[~]|\u20ac'.repeat(8) + '\u2019', 1],
	])('saves parts by the units of GSM-7: case %#', (text, saved) => {
		expect(encodeSmartly(text)?.partsSaved).toBe(saved);
	});

	it.each([
		'https://example.com/a\u2013b',
		'HTTP://EXAMPLE.COM/\u2019',
		'https://example.com/?q=\u201ca\u201db',
		'https://example.com/a\ufeffb',
		'https://example.com/a\u00adb',
		'https://example.com/a\u2019',
		'https://example.com/a\u2026',
		'https://example.com/a\u2013',
		'(https://example.com/a\u2013b)',
		'see\u2013https://example.com',
		'\u201chttps://example.com\u201d',
		'https://example.com/a\u200b',
		'www.example.com/a\u2013b',
		'example.com/a\u2013b',
		'm\u00fcnchen.de/a\u2013b',
		'exam\u200bple.com',
		'example.\u200bcom',
		'203.0.113.7/a\u2013b',
		'myapp://a\u2013b',
		'mailto:sam\u2013x',
		'sam\u2019s@example.com',
		'tel:1300\u2013000',
		'[opt-out-link]\u2014Acme',
		'[tracked-link]\u200bnow',
	])('never changes a link: %s', (link) => {
		expect(encodeSmartly(long(`It\u2019s on ${link}`))).toBeUndefined();
	});

	it.each([
		['https://example.com/a \u2013', 'https://example.com/a -'],
		['https://example.com/a\u00a0\u2013', 'https://example.com/a -'],
		['[opt-out-link]\u00a0\u2013', '[opt-out-link] -'],
	])('changes what stands beside a link: case %#', (given, expected) => {
		expect(textOf(long(given))).toBe(long(expected));
	});

	const characters = fc.oneof(
		{ weight: 150, arbitrary: fc.constantFrom(...'ab XY 01 ,- \n \'"[]') },
		{ weight: 20, arbitrary: fc.constantFrom(...typographic) },
		{ weight: 1, arbitrary: fc.constantFrom('.', '/', '@', '\u20ac', '[opt-out-link]') },
		{
			weight: 1,
			arbitrary: fc.constantFrom('https://example.com/a-b', 'www.', ' example.com ', 'http://'),
		},
	);
	const texts = fc.oneof(
		fc.string({ unit: characters, maxLength: 400, size: 'max' }),
		fc.string({
			unit: fc.oneof(characters, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
			maxLength: 200,
			size: 'max',
		}),
		fc.string({ unit: 'binary', maxLength: 200, size: 'max' }),
	);
	const kept = /[\p{L}\p{N}\p{M}\p{Sc}\p{Extended_Pictographic}]/gu;
	const links = /(?:https?:\/\/|www\.)[^\s\ufeff]*/gi;

	it('takes fewer parts, never none of the text, all of its letters, and changes no link', () => {
		let changed = 0;
		fc.assert(
			fc.property(texts, (text) => {
				const result = encodeSmartly(text);
				if (!result) return;
				changed++;
				// The library never divides a letter and its joiner over two SMS, and phones do.
				const before = new SegmentedMessage(text.replace(/[\u200c\u200d]/g, '\u2014'));
				const after = new SegmentedMessage(result.text);
				expect(before.segmentsCount - after.segmentsCount).toBe(result.partsSaved);
				expect(result.partsSaved).toBeGreaterThan(0);
				expect(result.text.trim()).not.toBe('');
				expect(encodeSmartly(result.text)).toBeUndefined();
				expect(result.text.match(kept)).toEqual(text.match(kept));
				expect(result.text.match(links)).toEqual(text.match(links));
				const count = result.replaced.reduce((sum, each) => sum + each.count, 0);
				expect(count).toBe([...text].filter((each) => typographic.includes(each)).length);
			}),
			{ numRuns: runsAll ? 3_000 : 1_000 },
		);

		expect(changed).toBeGreaterThan(100);
	});

	it.each(['\u201c'.repeat(100_000), 'a\u2019'.repeat(100_000), 'https://a\u2019"'.repeat(30_000)])(
		'is done at once with a text that is far too long: case %#',
		async (text) => expect(await processorMs(() => encodeSmartly(text))).toBeLessThan(1000),
	);
});
