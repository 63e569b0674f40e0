import { describe, expect, it } from 'vitest';
import { continues, useEmulator } from './emulator.ts';

const service = useEmulator();

const fields = { phoneNumber: '={{ $json.phone }}', defaultCountry: 'AU' };

const run = async (items: object[], changes: object = {}, options: object = {}) =>
	await service.run(
		'phoneNumber/clean',
		{ ...fields, ...changes },
		{ items, credentials: {}, ...options },
	);

/** What comes out of one value, with Australia as the default country unless told otherwise. */
const clean = async (phone: unknown, changes: object = {}) => {
	const { json, error } = await run([{ phone }], changes);
	expect(error).toBeUndefined();
	return json[0]?.cleaned as Record<string, unknown>;
};

/** An expression, which n8n takes for the text of one otherwise. */
const delivers = (script: string) => `={{ ${script} }}`;

const ana = {
	number: '61491570006',
	isValid: true,
	country: 'AU',
	type: 'mobile',
	isDuplicate: false,
	reason: null,
};
const nobody = {
	number: null,
	isValid: false,
	country: null,
	type: 'unknown',
	isDuplicate: false,
	reason: expect.stringMatching(/^The value (is|has|can|cannot|looks|begins) .*\w$/),
};

describe('what Clean gives back', () => {
	it('is each item with all that is known of its number, without a credential or a request', async () => {
		const { json, hints, error } = await run([
			{ phone: '0491 570 006', name: 'Ana' },
			{ phone: 'n/a', name: null },
			{ phone: '+61491570006' },
			{},
		]);

		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(json).toEqual([
			{ phone: '0491 570 006', name: 'Ana', cleaned: ana },
			{ phone: 'n/a', name: null, cleaned: nobody },
			{ phone: '+61491570006', cleaned: { ...ana, isDuplicate: true } },
			{ cleaned: { ...nobody, reason: expect.stringMatching(/^The value is empty\. /) } },
		]);
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		['+61 2 5550 1234', 'AU', 'landline'],
		['1300 975 707', 'AU', 'other'],
		['+1 202-555-0143', 'US', 'unknown'],
		['+44 7700 900123', 'GB', 'mobile'],
		['+44 20 7946 0123', 'GB', 'landline'],
		['+800 1234 5678', null, 'other'],
		['+44 1000 000000', null, 'unknown'],
		['+1 721 500 0000', 'SX', 'unknown'],
	])('of %j is country %s and type %s', async (phone, country, type) => {
		expect(await clean(phone)).toMatchObject({ isValid: true, country, type });
	});

	it('keeps the files of an item, and where it comes from', async () => {
		const binary = { photo: { data: 'aGk=', mimeType: 'image/png' } };
		const rest = [{}, { binary }, { binary: {} }];
		const items = [{ phone: '1' }, { phone: '0491570006' }, { phone: '2' }];
		const { items: output } = await run(items, {}, { rest });

		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(output[1]?.binary).toEqual(binary);
		expect(output[0]).not.toHaveProperty('binary');
	});

	it('counts as duplicates only numbers of the same input', async () => {
		const first = await run([{ phone: '0491570006' }]);
		const [task] = (await first.again()).data.resultData.runData.Kudosity!.slice(-1);

		expect(first.json).toMatchObject([{ cleaned: { isDuplicate: false } }]);
		expect(task?.data?.main?.[0]).toMatchObject([{ json: { cleaned: { isDuplicate: false } } }]);
	});

	it('has no duplicates among those that are no number', async () => {
		const { json } = await run([{ phone: 'n/a' }, { phone: 'n/a' }, { phone: null }]);
		expect(json.map(({ cleaned }) => cleaned)).toEqual([nobody, nobody, nobody]);
	});
});

describe('Default Country of Clean', () => {
	it('is none unless it is chosen', async () => {
		const without = { defaultCountry: '' };
		expect(await clean('0491 570 006', without)).toMatchObject({
			number: null,
			reason: expect.stringContaining('Default Country'),
		});
		expect(await clean('+61491570006', without)).toEqual(ana);
	});

	it('can be another one for each item', async () => {
		const { json } = await run(
			[
				{ phone: '0491 570 006', in: 'au' },
				{ phone: '07700 900123', in: ' GB ' },
				{ phone: '0491 570 156', in: 'Atlantis' },
				{ phone: '0491 570 156', in: null },
				{ phone: '0491 570 156', in: ['AU'] },
				{ phone: '+61491570156', in: 61 },
			],
			{ defaultCountry: '={{ $json.in }}' },
		);

		expect(json.map(({ cleaned }) => (cleaned as typeof ana).number)).toEqual([
			'61491570006',
			'447700900123',
			null,
			null,
			null,
			'61491570156',
		]);
		expect(json[2]).toMatchObject({
			cleaned: { reason: expect.stringContaining("'Default Country' is not a country") },
		});
	});

	it('is not taken from a credential', async () => {
		const kudosityKeyApi = { ...service.credentials.kudosityKeyApi, defaultCountry: 'AU' };
		const { json } = await run(
			[{ phone: '0491 570 006' }],
			{ defaultCountry: '' },
			{ credentials: { kudosityKeyApi } },
		);
		expect(json).toMatchObject([{ cleaned: { number: null } }]);
	});
});

describe('a value that is no phone number', () => {
	it.each([
		["$('Nobody').first().json.phone", /^The value can't be read because its expression failed\. /],
		['$json.a.b.c', /^The value is empty\. /],
		['JSON.parse("{")', /^The value /],
		['[$json.phone]', /^The value is not text\. /],
		['({ phone: $json.phone })', /^The value is not text\. /],
		['NaN', /^The value is not text\. /],
		['6.1491570006e10 + 0.5', /^The value has decimals\. /],
		['2 ** 60', /^The value was rounded/],
		['-61491570006', /^The value starts with a minus sign/],
		['DateTime.now()', /^The value is not text\. /],
		['true', /^The value is not text\. /],
		['"6.149E+10"', /^The value was rounded/],
		['"x".repeat(1_000_000)', /^The value is not a phone number/],
		['"1".repeat(1_000_000)', /^The value is not a phone number/],
		[
			'"0491570006" + "\\u200b".repeat(1_000_000) + "1"',
			/^The value is not a valid number in 'Default Country'/,
		],
	])('never fails its item: %s', async (script, reason) => {
		const { json, error } = await run([{ phone: '0491570006' }, { phone: '0491570006' }], {
			phoneNumber: delivers(script),
		});

		expect(error).toBeUndefined();
		const cleaned = { ...nobody, reason: expect.stringMatching(reason) };
		expect(json).toEqual([1, 2].map(() => ({ phone: '0491570006', cleaned })));
	});

	it('never fails it either where the country is what fails', async () => {
		const defaultCountry = delivers("$('Nobody').first().json.country");
		expect(await clean('+61491570006', { defaultCountry })).toEqual(ana);
		expect(await clean('0491570006', { defaultCountry })).toEqual(nobody);
	});
});

describe('Output Field', () => {
	const named = (outputField: unknown) => ({ options: { outputField } });

	it('replaces a field of that name, and says so', async () => {
		const { json, hints } = await run([
			{ phone: '0491570006', cleaned: 'by hand' },
			{ phone: '0491570006' },
		]);

		expect(json[0]).toEqual({ phone: '0491570006', cleaned: ana });
		expect(hints).toEqual([expect.stringMatching(/'cleaned' .* replaced .*1 of 2 items/)]);
	});

	it('can be another one, of each item', async () => {
		const items = [
			{ phone: '0491570006', as: 'mobile' },
			{ phone: '', as: ' phone ' },
			{ phone: '', as: null },
		];
		const { json } = await run(items, named('={{ $json.as }}'));

		expect(json).toEqual([
			{ ...items[0], mobile: ana },
			{ ...items[1], phone: nobody },
			{ ...items[2], cleaned: nobody },
		]);
	});

	it('leads into another field by a dot, which keeps what else it has', async () => {
		const items = [
			{ phone: '0491570006', contact: { name: 'Ana', cleaned: 1 } },
			{ phone: '', contact: 'Ben' },
			{ phone: '', contact: ['Ben'] },
			{ phone: '' },
		];
		const { json, hints } = await run(items, named('contact.cleaned'));

		expect(json).toEqual([
			{ phone: '0491570006', contact: { name: 'Ana', cleaned: ana } },
			{ phone: '', contact: { cleaned: nobody } },
			{ phone: '', contact: { cleaned: nobody } },
			{ phone: '', contact: { cleaned: nobody } },
		]);
		expect(hints).toEqual([expect.stringContaining('3 of 4 items')]);
	});

	it('leaves the items that came in as they were, and is silent where nothing was replaced', async () => {
		const contact = { name: 'Ana' };
		const { hints } = await run([{ phone: '', contact }], named('contact.cleaned'));
		expect(contact).toEqual({ name: 'Ana' });
		expect(hints).toEqual([]);
	});

	it.each(['toString', 'hasOwnProperty', 'length', 'a.toString.b', '0', 'ключ', 'a b'])(
		'can be %j, as any name can',
		async (name) => {
			const { json, hints } = await run([{ phone: '0491570006' }], named(name));
			const value = name.split('.').reduce<unknown>((inner, key) => Object(inner)[key], json[0]);
			expect(value).toEqual(ana);
			expect(hints).toEqual([]);
		},
	);

	it.each([
		'__proto__',
		'constructor',
		'a.__proto__.b',
		'prototype',
		'.',
		'a.',
		'a..b',
		' . ',
		'x'.repeat(101),
		['cleaned'],
		{ a: 1 },
	])('is refused as %j', async (name) => {
		const outputField = delivers(`(${JSON.stringify(name)})`);
		const { error } = await run([{ phone: '0491570006' }], named(outputField));

		expect(error?.message).toMatch(/^'Options > Output Field' (is|does)/);
		expect({}).not.toHaveProperty('cleaned');
		expect({}).not.toHaveProperty('number');
	});

	it('that is refused is an item of its own where the node continues', async () => {
		const items = [{ phone: '0491570006', as: 'a..b' }, { phone: '0491570006' }];
		const { json } = await run(items, named('={{ $json.as }}'), { settings: continues });

		expect(json).toMatchObject([
			{ error: expect.stringContaining("'Options > Output Field'") },
			{ cleaned: { number: '61491570006', isDuplicate: false } },
		]);
	});

	it('keeps a name that JavaScript reserves where it came in', async () => {
		const item = JSON.parse('{"phone": "0491570006", "__proto__": {"polluted": true}}');
		const { json } = await run([item]);

		expect(json[0]?.cleaned).toEqual(ana);
		expect({}).not.toHaveProperty('polluted');
		expect(json[0]).not.toHaveProperty('polluted');
	});
});

/** What comes along when people copy numbers, or is typed by mistake. */
const odd = [
	...[
		'\r',
		'\n',
		'\r\n',
		'\t',
		'\v',
		'\f',
		'\u0000',
		'\u001b',
		'\u0085',
		'\u00a0',
		'\u00ad',
		'\u00b7',
	],
	...[
		'\u061c',
		'\u200b',
		'\u200c',
		'\u200d',
		'\u200e',
		'\u200f',
		'\u2009',
		'\u202a',
		'\u202c',
		'\u202f',
	],
	...[
		'\u2010',
		'\u2013',
		'\u2014',
		'\u2028',
		'\u2029',
		'\u2044',
		'\u2060',
		'\u2066',
		'\u2069',
		'\u2212',
	],
	...[
		'\u3000',
		'\ufe0f',
		'\ufeff',
		'\u20e3',
		'\u0301',
		'\ud800',
		'\udc00',
		'\uff0e',
		'\uff0f',
		'\uff0b',
	],
	...[
		' ',
		'_',
		'|',
		';',
		',',
		'.',
		':',
		'/',
		'\\',
		'#',
		'*',
		'+',
		'-',
		'~',
		'"',
		"'",
		'`',
		'(',
		')',
		'[',
		']',
	],
	...[
		'a',
		'O',
		'l',
		'e',
		'x',
		'ext',
		'tel:',
		'=',
		'&',
		'%',
		'$',
		'{{',
		'<b>',
		'\u00b2',
		'\u0966',
		'\ud835\udfce',
	],
];
const meant = ['0491570006', '+61491570157', '61491570156', '0061491570158', '+447700900123'];

it('what stands in a number by mistake never makes another number of it', async () => {
	const texts = meant.flatMap((text) =>
		odd.flatMap((sign) =>
			[0, 1, 4, text.length - 4, text.length - 2, text.length - 1, text.length].map((place) => ({
				phone: text.slice(0, place) + sign + text.slice(place),
				number: text.replace(/^0(?=4)/, '61').replace(/^(\+|00)/, ''),
			})),
		),
	);
	const { json, error } = await run(texts);

	expect(texts.length).toBeGreaterThan(2000);
	expect(error).toBeUndefined();
	const wrong = json.filter(({ number, cleaned }) => {
		const read = Object(cleaned) as typeof ana;
		return read.number === null ? !read.reason : read.number !== number;
	});
	expect(wrong).toEqual([]);
	// Most of them are what people do not see, and are read.
	expect(json.filter(({ cleaned }) => (cleaned as typeof ana).isValid).length).toBeGreaterThan(500);
});

it.each([
	['full-width', 0xff10],
	['Arabic', 0x0660],
	['Persian', 0x06f0],
])('%s digits are digits', async (_, zero) => {
	const spelled = '0491570006'.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
	expect(await clean(spelled)).toEqual(ana);
});

it('Clean is a tool for an agent, too', async () => {
	const call = await service.tool('phoneNumber/clean', fields);
	const answer = String(await call({ phone: '0491 570 006' }));
	expect(JSON.parse(answer)).toMatchObject([{ cleaned: ana }]);
});
