import type { Random } from '../faults/campaign.ts';

/** What in particular a field could be attacked with. */
export type Target = {
	/** What it takes when nobody attacks it. */
	good: unknown;
	/** Names of fields inside it. */
	keys: readonly string[];
};

type Make = (random: Random, target: Target) => unknown;

const phones = [
	'61491570006',
	'+61 491 570 156',
	'+61 (0)491 570 157',
	'0491570158',
	'0011 61 491 570 159',
	"'61491570006",
	'61491570006.0',
	'6.1491570006E+10',
	'6.14916E+10',
	'61491570006.5',
	'٦١٤٩١٥٧٠٠٠٦',
	'６１４９１５７０１５６',
	'61491570006 ext 5',
	'61491570006/61491570156',
	'61491570006;61491570156\r\n61491570157',
	'\u202a+61491570006\u202c',
	'-61491570006',
	'tel:+61491570006',
	'1,234.56',
	'=HYPERLINK("https://example.com")',
	'@SUM(1+1)',
	'00000000000',
	'999999999999999999999',
];

const dates = [
	'2026-01-31',
	'2026-01-31T09:00+14:00',
	'31/01/2026',
	'2026-13-45T99:99',
	'2026-02-30',
	'0000-00-00',
	'-271821-04-20T00:00:00Z',
	'+275760-09-13T00:00:00.001Z',
	'9999-12-31T23:59:60Z',
	'1e3',
	'now',
	'1700000000',
	'2026-01-31T09:00\u2028Z',
];

const paths = [
	'../../webhook',
	'..',
	'.',
	'/',
	'//evil.example/v2/sms',
	'%2e%2e%2fwebhook',
	'..%2f..%2fv2%2fsms',
	'..\\..\\v2',
	'/v2/sms?x=',
	'id#fragment',
	'id?to=61491570157',
	'id;jsessionid=1',
	'%00',
	'%',
	'https://evil.example/',
	'https://user:secret@example.com/a',
	'https://127.0.0.1/a',
	'https://[::ffff:10.0.0.1]/',
	'http://169.254.169.254/latest',
	'https://2130706433/',
	'https://example.com\\@evil.example/',
	'https://example.com/\r\nX-Injected: yes',
	'javascript:alert(1)',
	'file:///etc/passwd',
];

const injections = [
	'id\r\nX-Injected: yes',
	'Hi\r\nX-Injected: yes\r\n\r\n',
	'a&to=61491570157&from=Evil',
	'","recipient":"61491570157',
	'{"recipient":"61491570157"}',
	'[{"__proto__":{"polluted":true}}]',
	'{"__proto__":{"polluted":true},"type":"image"}',
	'{"a":'.repeat(80),
	'{{ $json }}',
	'={{ $env }}',
	'={{ $credentials }}',
	'${process.env}',
	"' OR 1=1 --",
	'<script>alert(1)</script>',
	'[opt-out-link]',
	'[tracked-link]',
	'%s%n$1$&$`',
	'a,b;c\td',
	'sam@example.com\r\nBcc: evil@example.com',
	'sam@example.com,evil@example.com',
];

const names = [
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'hasOwnProperty',
	'length',
	'then',
	'toJSON',
	'undefined',
	'null',
	'NaN',
	'Infinity',
	'true',
	'FALSE',
	'[object Object]',
	'0',
	'-0',
	'1e308',
	'0x10',
];

const odd = [
	'',
	' ',
	'\u00a0\u3000',
	'\u200b\u200d\ufeff',
	'\u0000',
	'a\u0000b',
	'\u001b[31mred\u0007',
	'\u007f\u0085\u2028\u2029',
	'\ud800',
	'a\udfffb\ud83d',
	'\u202eevil\u202c\u2066x\u2069',
	'e\u0301'.repeat(20),
	'👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
	'İıſK',
	'שלום مرحبا 你好 हाँ',
	'\uffff\ufffe',
	'\u{10ffff}',
	'ẞ\u00adﬁ',
];

const blocks: Array<[number, number]> = [
	[0, 0x1f],
	[0x20, 0x7e],
	[0x80, 0x24f],
	[0x300, 0x36f],
	[0x590, 0x6ff],
	[0x2000, 0x206f],
	[0x4e00, 0x4fff],
	[0xd800, 0xdfff],
	[0xfe00, 0xffff],
	[0x1f300, 0x1faff],
];

const character = (random: Random): string => {
	const [first, last] = random.pick(blocks);
	return String.fromCodePoint(random.integer(first, last));
};

const characters = (random: Random, most: number): string =>
	Array.from({ length: random.integer(0, most) }, () => character(random)).join('');

/** The right value with a mistake in it. */
const damaged: Make = (random, { good }) => {
	const text = typeof good === 'object' ? JSON.stringify(good) : String(good ?? 'abc');
	const at = random.integer(0, text.length);
	const inserted = random.pick([random.pick(odd), random.pick(injections), characters(random, 3)]);
	return random.pick([
		`${text.slice(0, at)}${inserted}${text.slice(at)}`,
		`${text.slice(0, at)}${text.slice(at + 1)}`,
		`${inserted}${text}`,
		`${text}${inserted}`,
		`${text}${random.pick([',', ';', '\n', ''])}${text}`,
		text.toUpperCase(),
		` ${text} `,
	]);
};

const long: Make = (random, { good }) =>
	random
		.pick(['x', '👍', 'a ', '1', '../', '[', '\u0301', `${String(good)},`])
		.repeat(random.pick([161, 501, 1225, 5_000, 20_000]));

const numbers: Make = (random) =>
	random.pick([
		Number.NaN,
		Number.POSITIVE_INFINITY,
		Number.NEGATIVE_INFINITY,
		-0,
		0,
		-1,
		0.1 + 0.2,
		1e308,
		5e-324,
		2 ** 31,
		2 ** 53,
		2 ** 53 + 2,
		-(2 ** 63),
		1e21,
		61491570006,
		61491570156.5,
		491570157,
		random.integer(-1000, 100_000),
		random.next() * 1e15,
	]);

const key: Make = (random, { keys }) =>
	random.chance(0.5) && keys.length > 0
		? random.pick(keys)
		: random.pick([...names, 'value', 'values', 'phone', 'recipient', '__rl', 'mode']);

/** Own keys, as those of parsed JSON, `__proto__` included. */
const ownFields = (entries: Array<[unknown, unknown]>): object => {
	const fields = {};
	for (const [name, value] of entries) {
		Object.defineProperty(fields, String(name), {
			value,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	}
	return fields;
};

const structured = (random: Random, target: Target, levels: number): unknown => {
	const inner = () =>
		levels > 0 && random.chance(0.4)
			? structured(random, target, levels - 1)
			: scalar(random, target);
	const several = Array.from({ length: random.integer(0, 4) }, inner);
	return random.chance(0.5)
		? several
		: ownFields(several.map((value) => [key(random, target), value]));
};

const nested = (depth: number, isList: boolean): unknown => {
	let value: unknown = 1;
	for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value };
	return value;
};

const disguises: Make = (random, { good }) =>
	random.pick<unknown>([
		[good],
		[good, good],
		[[good]],
		{ value: good },
		{ values: good },
		{ __rl: true, mode: 'list', value: good },
		{ __rl: true, mode: 'id', value: random.pick(paths) },
		{ toString: 'text' },
		{ toString: null, valueOf: null },
		{ toJSON: 'text' },
		{ toISO: '2026-01-31T09:00' },
		{ length: 1, 0: good },
		{ then: good },
		JSON.parse('{"__proto__": {"polluted": true}}'),
		JSON.parse('{"constructor": {"prototype": {"polluted": true}}}'),
		nested(random.pick([49, 51, 60, 500]), random.chance(0.5)),
	]);

/** What only expressions deliver: JSON has none of it. */
const foreign: Make = (random) =>
	random.pick<unknown>([
		undefined,
		null,
		true,
		false,
		new Date(0),
		new Date(Number.NaN),
		new Date(8.64e15),
		new Date('2026-01-31T09:00:00Z'),
		10n,
		61491570006n,
		2n ** 64n,
		[undefined, null],
		[10n],
	]);

const from =
	(values: readonly unknown[]): Make =>
	(random) =>
		random.pick(values);

const scalars: Make[] = [
	from(phones),
	from(dates),
	from(paths),
	from(injections),
	from(names),
	from(odd),
	damaged,
	damaged,
	numbers,
	(random) => characters(random, 30),
];

const scalar: Make = (random, target) => random.pick(scalars)(random, target);

const kinds: Make[] = [
	...scalars,
	numbers,
	foreign,
	foreign,
	disguises,
	disguises,
	(random, target) => structured(random, target, 3),
	(random, target) => structured(random, target, 3),
	long,
];

/** Anything that an expression can deliver, by mistake or by the hand of whoever fills the form behind it. */
export const hostileValue: Make = (random, target) => random.pick(kinds)(random, target);

/** The same as it can come over the network: parsed JSON, in which numbers can be infinite. */
export const asParsedJson = (value: unknown): unknown => {
	if (typeof value === 'bigint') return String(value);
	if (Number.isNaN(value)) return null;
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((inner) => asParsedJson(inner ?? null));
	const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
	return ownFields(entries.map(([name, inner]) => [name, asParsedJson(inner)]));
};
