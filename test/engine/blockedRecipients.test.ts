import { describe, expect, it } from 'vitest';
import { continues, toPhone, useDeduplicationStore, useEmulator } from './emulator.ts';
import { timeFields, type RunOptions } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben, cleo, dan] = ['61491570006', '61491570156', '61491570157', '61491570158'];
const landline = '61255501234';

type Earlier = NonNullable<RunOptions['earlier']>[number];

const minutes = 60_000;
const column = "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}";
const empty = 'Blocked Recipients is empty. If nobody has opted out yet, turn on Allow Empty List.';

const optOuts = (values: unknown[], rest: Partial<Earlier> = {}): Earlier[] => [
	{ name: 'Get opt-outs', items: values.map((phone) => ({ phone })) as never, ...rest },
];

type Options = Parameters<typeof service.sms>[2] & { to?: unknown[]; dryRun?: string };

/** Sends to Ana and Ben, or to others. */
const send = async (limits: object, { to = [ana, ben], dryRun, ...rest }: Options = {}) =>
	await service.sms(
		to.map((phone) => ({ phone })),
		{ ...(dryRun && { dryRun }), ...limits },
		rest,
	);

const withDefaultCountry = (defaultCountry: string) =>
	Object.fromEntries(
		Object.entries(service.credentials).map(([name, data]) => [name, { ...data, defaultCountry }]),
	);

const blocked = { outcome: 'skipped', code: 'blocked', canRetry: false };
/** Nothing is decided by a dry run. */
const dryBlocked = { ...blocked, canRetry: true };

const expectRefusal = async (
	{ error }: Awaited<ReturnType<typeof send>>,
	message: string,
	remedy = '',
) => {
	expect(error?.message).toContain(message);
	expect(`${error?.message}. ${error?.description}`).toContain(remedy);
	expect(`${error?.message} ${error?.description}`).not.toMatch(/\d{5}/);
	expect(await service.control.requests()).toEqual([]);
};

describe('Blocked Recipients', () => {
	it.each([
		['a number', ana],
		['a number in another spelling', '+61 491 570 006'],
		['a number with a trunk zero in brackets', '+61 (0)491 570 006'],
		['the beginning of a number', '+61 49157000*'],
		['the beginning of a number with a trunk zero', '+61 0491 570 006*'],
		['one of several', `NZ, ${cleo};\r\n${ana}\n`],
		['one of several, with a comma too many at the end', `NZ, ${ana}, `],
		['a list of an expression', `={{ ["+64*", ${ana}, "${cleo}"] }}`],
		['a text of an expression', `={{ ["+64*", ${ana}].join(",") }}`],
		['a number of an expression', `={{ ${ana} }}`],
	])('skips whoever is %s, and sends to the others', async (_, blockedRecipients) => {
		const { json, error } = await send({ blockedRecipients });

		expect(error).toBeUndefined();
		expect(json).toMatchObject([blocked, { recipient: ben }]);
		expect(json[0]?.reason).toContain('Blocked Recipients');
		expect(await service.recipients()).toEqual([ben]);
	});

	it('skips everybody of a country, also a number that may be of it', async () => {
		const toronto = '14165550123';
		const { json } = await send({ blockedRecipients: 'au, CA' }, { to: [ana, toronto] });
		expect(json).toMatchObject([blocked, blocked]);
		expect(await service.control.requests()).toEqual([]);
	});

	it('skips an item, whatever On Error says', async () => {
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const { outputs } = await send({ blockedRecipients: ana }, { settings: { onError } });
			expect(outputs[0]?.map(({ json }) => json)).toMatchObject([blocked, { recipient: ben }]);
			expect(outputs[1] ?? []).toEqual([]);
		}
	});

	it('blocks a person in each spelling that WhatsApp or the plan has', async () => {
		const pairs = [
			['5491123456789', '541123456789'],
			['525512345678', '5215512345678'],
			['5511987654321', '551187654321'],
		];
		for (const [one, other] of [...pairs, ...pairs.map((pair) => [...pair].reverse())]) {
			const { json } = await send({ blockedRecipients: one }, { to: [`+${other}`] });
			expect(json).toMatchObject([blocked]);
		}
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		['13125550123', '3125550123', 'AU'],
		['16025550123', '602 555 0123', 'GB'],
		['61491570006', '491570006', 'NZ'],
		['61491570006', '0491 570 006', 'GB'],
		['447911123456', '07911 123456', 'AU'],
		['447911123456', '7911123456', 'US'],
	])(
		'never sends to %s if the list has %s, whatever the default country is (%s)',
		async (person, entry, country) => {
			await send(
				{ blockedRecipients: column },
				{
					to: [`+${person}`],
					earlier: optOuts([entry]),
					credentials: withDefaultCountry(country),
				},
			);
			expect(await service.recipients()).toEqual([]);
		},
	);

	it('is read from the rows of an earlier node, once for all items', async () => {
		const earlier = optOuts([ana, '+61 491 570 157']);
		const { json, error } = await send(
			{ blockedRecipients: column },
			{ earlier, to: [ana, ben, cleo] },
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([blocked, { recipient: ben }, blocked]);
	});

	it.each([
		'={{ $("Get opt-outs").all().map((row) => row.json.phone) }}',
		'={{ $(`Get opt-outs`).all().map((row) => `+${row.json.phone}`) }}',
		"={{ $('Get opt-outs')?.all().map(({ json }) => json.phone) }}",
		"={{ $items('Get opt-outs').map((item) => item.json.phone) }}",
		"={{ $('Get opt-outs').all().filter((row) => row.json.phone).map((row) => row.json.phone).join(',') }}",
		"={{ [...$('Get opt-outs').all(), ...$('Get opt-outs').all()].map((item) => item.json.phone) }}",
		"={{ $('Get opt-outs').all().map((row) => row.json['phone']) }}",
	])('takes other ways to write that: %s', async (blockedRecipients) => {
		const { json, error } = await send({ blockedRecipients }, { earlier: optOuts([ana, cleo]) });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([blocked, { recipient: ben }]);
	});

	it('is the same in each form of the output', async () => {
		const items = [{ phone: ana }, { phone: ben }];
		const fields = { ...toPhone, options: { blockedRecipients: ana } };
		const simplified = await service.run(
			'sms/send',
			{ ...fields, output: 'simplified' },
			{ items },
		);
		expect(simplified.json).toMatchObject([blocked, { outcome: 'sent', contact: ben }]);

		const each = await service.run('sms/send', { ...fields, output: 'itemResult' }, { items });
		expect(each.json).toMatchObject([
			{ phone: ana, result: { ...blocked, messageId: null } },
			{ phone: ben, result: { outcome: 'sent', code: null } },
		]);
	});

	it('comes before Allowed Recipients, which holds for the others', async () => {
		const { json } = await send(
			{ blockedRecipients: ana, allowedRecipients: ben },
			{ to: [ana, ben, cleo], settings: continues },
		);
		expect(json).toMatchObject([
			blocked,
			{ recipient: ben },
			{ details: { code: 'sending_limit' } },
		]);
	});

	it('uses up no key and no limit', async () => {
		const options = {
			blockedRecipients: ana,
			deduplicationKey: '=sale-{{ $json.phone }}',
			maxPerExecution: 1,
			maxPerRecipientPerDay: 1,
		};
		const { json, error } = await send(options);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([blocked, { recipient: ben }]);
		expect([...store.everTaken].join()).not.toContain(ana.slice(-4));

		const { json: later } = await send({ ...options, blockedRecipients: cleo }, { to: [ana] });
		expect(later).toMatchObject([{ recipient: ana }]);
	});

	it('leaves an item with an invalid value an error', async () => {
		const { json } = await send(
			{ blockedRecipients: ana },
			{ to: [ana, 'nonsense'], settings: continues },
		);
		expect(json).toMatchObject([blocked, { details: { code: 'invalid_number' } }]);
	});

	it('says the same in a dry run', async () => {
		const { json } = await send({ blockedRecipients: ana }, { dryRun: 'always' });
		expect(json).toMatchObject([dryBlocked, { dryRun: true, recipient: ben }]);
		expect(await service.control.messages()).toEqual([]);
	});

	it('counts the skipped ones in the summary', async () => {
		const { hints } = await send({ blockedRecipients: ana });
		expect(hints.join()).toContain('1 skipped (blocked)');
	});

	it('can be any list for one item: of its own fields, or from a workflow that calls', async () => {
		const { json } = await service.sms([{ phone: ana, optOuts: [ana] }], {
			blockedRecipients: '={{ $json.optOuts }}',
		});
		expect(json).toMatchObject([blocked]);
	});

	it('can be the column of the items themselves', async () => {
		const { json } = await service.sms(
			[
				{ phone: ana, no: ben },
				{ phone: ben, no: cleo },
			],
			{
				blockedRecipients: '={{ $input.all().map((item) => item.json.no) }}',
			},
		);
		expect(json).toMatchObject([{ recipient: ana }, blocked]);
	});

	it('cannot be used with a contact list', async () => {
		const fields = { message: 'Hi', sender: 'Acme', sendTo: 'list', listId: '4100001' };
		for (const limit of [{ blockedRecipients: ana }, { mobileOnly: true }]) {
			const { error } = await service.run('bulkSms/send', { ...fields, options: limit });
			expect(error?.message).toContain("can't be used with a contact list");
		}
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('Digits alone in Blocked Recipients', () => {
	it.each([
		['without its zero', '491570006', 'AU', [ana]],
		['with its zero', '0491570006', 'AU', [ana]],
		['of the United States', '2025550143', 'US', ['12025550143']],
		['as a number of a spreadsheet', 491_570_006, 'AU', [ana]],
		['that had a plus, and has its zero', 610_491_570_006, 'AU', [ana]],
	])('block the person at home: %s', async (_, entry, country, to) => {
		const { json, error } = await send(
			{ blockedRecipients: column },
			{ earlier: optOuts([entry]), to, credentials: withDefaultCountry(country) },
		);
		expect(error?.message ?? json).toMatchObject([blocked]);
	});

	it.each([
		['a short code', '12345'],
		['a short code of three digits', '333'],
		['a new range that no plan has', '61999999999999'],
		['a mobile number with a digit too many', '614915700061'],
	])('stop no campaign: %s', async (_, entry) => {
		const { json, error } = await send(
			{ blockedRecipients: column },
			{ earlier: optOuts([ana, entry]) },
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([blocked, { recipient: ben }]);
	});

	it.each([
		['customer numbers', ['10482', '10519'], 'AU'],
		['postcodes as numbers', [3056, 2000], undefined],
		['dates', ['20240311', '20251204'], 'AU'],
		['one customer number', ['10482'], 'AU'],
	])(
		'stop the campaign if there is nothing else, as in a wrong column: %s',
		async (_, list, country) => {
			const options = country ? { credentials: withDefaultCountry(country) } : {};
			const result = await send(
				{ blockedRecipients: column },
				{ earlier: optOuts(list), ...options },
			);
			await expectRefusal(result, 'has no phone number, only numbers of 3 to 8 digits');
		},
	);

	it.each([
		['begin with 0', '0491570006', undefined],
		['begin with 0, and are no number at home', '0123', 'AU'],
		['may be a national number', '491570006', undefined],
		['may be a short national number', '4915700', undefined],
		['are too few', '12', 'AU'],
		['are too many', '6149157000600000', 'AU'],
	])('are refused if they %s', async (_, entry, country) => {
		const options = country ? { credentials: withDefaultCountry(country) } : {};
		const result = await send(
			{ blockedRecipients: column },
			{ earlier: optOuts([ben, entry]), ...options },
		);
		await expectRefusal(result, 'the one at position 2 of 2');
	});

	it('are read with a country that is the same for all items, not with that of an item', async () => {
		const items = [{ phone: `+${ana}`, country: 'AU' }];
		const limits = { blockedRecipients: '0491570006' };
		const fixed = await service.sms(items, { ...limits, defaultCountry: 'AU' });
		expect(fixed.json).toMatchObject([blocked]);

		const own = await service.sms(
			items,
			{ ...limits, defaultCountry: '={{ $json.country }}' },
			{ credentials: withDefaultCountry('AU') },
		);
		await expectRefusal(own, 'position 1 of 1', 'Default Country');
	});
});

describe('an entry of Blocked Recipients that can be read two ways', () => {
	it.each([
		['a landline here or a mobile abroad', '4365000000', 'DE', ['+494365000000', '+4365000000']],
		['a plus before a national number', '+491570006', 'AU', ['+61491570006']],
	])('blocks both: %s', async (_, entry, country, both) => {
		const { json, error } = await send(
			{ blockedRecipients: `={{ ["${entry}"] }}` },
			{ to: both, credentials: withDefaultCountry(country) },
		);
		expect(error?.message ?? json).toMatchObject(both.map(() => blocked));
	});
});

describe('a list of Blocked Recipients that cannot be relied on', () => {
	const rows = "{{ $('Get opt-outs').all().map((row) => row.json.phone) }}";

	it.each<[what: string, value: string, message: string, remedy?: string]>([
		['undefined', '={{ undefined }}', "'Sending Limits > Blocked Recipients' is empty"],
		['null', '={{ null }}', "'Sending Limits > Blocked Recipients' is empty"],
		['an empty text', "={{ '' }}", "'Sending Limits > Blocked Recipients' is empty"],
		['spaces', '   ', "'Sending Limits > Blocked Recipients' is empty"],
		[
			'what failing code returns',
			"={{ $('Get opt-outs').all().map((row) => row.json.missing.trim()) }}",
			'Blocked Recipients',
		],
		[
			'a misspelled column',
			"={{ $('Get opt-outs').all().map((row) => row.json.phon) }}",
			'the one at position 1 of 2 has no value',
			'column name',
		],
		['null in it', `={{ ["${ana}", null] }}`, 'the one at position 2 of 2 is null'],
		['null alone', '={{ [null] }}', 'the one at position 1 of 1 is null'],
		['an empty text in it', `={{ ["${ana}", ""] }}`, 'the one at position 2 of 2 is empty'],
		[
			'an invisible text in it',
			`={{ ["${ana}", "\\u200B\\u200C"] }}`,
			'the one at position 2 of 2 contains nothing visible (U+200B U+200C)',
		],
		['a blank between commas', `${ana},,${cleo}`, 'at position 2 of 3'],
		['a text that ends in a blank', `={{ "${ana}," }}`, 'at position 2 of 2'],
		[
			'an unreadable entry',
			`={{ ["${ana}", "no\\u200Bbody", "${ben}"] }}`,
			'the one at position 2 of 3 is not a phone number, with the invisible U+200B',
		],
		['an unreadable entry in a text', `${ana}, Sam`, 'the one at position 2 of 2'],
		['a rounded number', `={{ ["6.149E+10"] }}`, 'was rounded by a spreadsheet'],
		['a number that was rounded before', '={{ [447701000000] }}', 'was rounded by a spreadsheet'],
		['two letters in a list', '={{ ["no"] }}', 'the one at position 1 of 1', 'column'],
		['an expression in Fixed mode', rows, 'is fixed text', 'Switch the field to Expression'],
		['an unknown country', 'XX', 'has an unknown country'],
		[
			'a prefix of nobody',
			'+28 1*',
			'has an invalid prefix at position 1 of 1: no number begins with it',
		],
		['rows instead of a column', "={{ $('Get opt-outs').all() }}", 'is not text', rows],
		['a row', "={{ $('Get opt-outs').first().json }}", 'is not a list', rows],
		['true', '={{ true }}', 'is not a list', rows],
		[
			'a node that did not run',
			"={{ $('Later').all().map((row) => row.json.phone) }}",
			'has an expression that fails',
			"hasn't been executed",
		],
		[
			'a node that does not exist',
			"={{ $('Typo').all().map((row) => row.json.phone) }}",
			'has an expression that fails',
		],
		[
			'what a model fills in',
			"={{ $fromAI('blocked') }}",
			"can't be filled in by a model",
			'a list that the workflow reads',
		],
		[
			'one row, dragged',
			"={{ $('Get opt-outs').item.json.phone }}",
			'reads only one row from Get opt-outs',
			rows,
		],
		[
			'the first row',
			"={{ $('Get opt-outs').first().json.Mobile }}",
			'reads only one row from Get opt-outs',
			"{{ $('Get opt-outs').all().map((row) => row.json.Mobile) }}",
		],
		['a field of an item', '={{ $json.phone }}', 'depends on the item', rows],
		['a field of an item in code', '={{ [$json.phone] }}', 'depends on the item', rows],
		[
			'an item of a node',
			"={{ $node['Get opt-outs'].json.phone }}",
			'reads only one row from Get opt-outs',
			rows,
		],
		[
			'an item by its index',
			"={{ [$('Get opt-outs').all()[$itemIndex]] }}",
			'reads only one row from Get opt-outs',
			'Read all rows',
		],
	])('refuses the run: %s', async (_, blockedRecipients, message, remedy) => {
		const earlier: Earlier[] = [
			{ name: 'Later', items: [], isWaiting: true },
			{
				name: 'Get opt-outs',
				items: [
					{ phone: ana, Mobile: ana },
					{ phone: cleo, Mobile: cleo },
				],
			},
		];
		const result = await send({ blockedRecipients }, { earlier });
		await expectRefusal(result, message, remedy);
	});

	it('reads one of the rows that an Aggregate node collected, dragged', async () => {
		const blockedRecipients = "={{ $('All').first().json.data[0].phone }}";
		const earlier: Earlier[] = [
			{ name: 'All', items: [{ data: [{ phone: ana }, { phone: cleo }] }] },
		];
		const result = await send({ blockedRecipients }, { earlier });
		const all = "{{ $('All').first().json.data.map((each) => each.phone) }}";
		await expectRefusal(result, 'reads only one entry of a list from All', all);
	});

	it('reads one row, dragged, also where there is one item', async () => {
		const blockedRecipients = "={{ $('Get opt-outs').item.json.phone }}";
		const earlier = optOuts([ana, cleo]);
		const result = await send({ blockedRecipients }, { earlier, to: [ana] });
		await expectRefusal(result, 'reads only one row from Get opt-outs', rows);
	});

	it('refuses rows of a node whose Return All is off', async () => {
		const result = await send(
			{ blockedRecipients: column },
			{ earlier: optOuts([ana], { returnAll: false }) },
		);
		await expectRefusal(result, 'returns only some of its rows', "Turn on 'Return All'");
	});

	it('refuses them in the retry of a run, although the setting has been corrected', async () => {
		const startTime = Date.now();
		for (const [returnAll, mode] of [
			[false, 'trigger'],
			[true, 'retry'],
		] as const) {
			const earlier = optOuts([cleo], { returnAll, startTime });
			const { error } = await send({ blockedRecipients: column }, { earlier, mode });
			expect(error?.message).toContain('Get opt-outs');
		}
		expect(await service.control.requests()).toEqual([]);

		const { json } = await send({ blockedRecipients: column }, { earlier: optOuts([ana]) });
		expect(json).toMatchObject([blocked, { recipient: ben }]);
	});

	it('refuses rows of two runs in each round, whatever On Error says', async () => {
		const result = await send(
			{ blockedRecipients: column },
			{
				earlier: optOuts([cleo], { itemsBefore: [{ phone: ana }] }),
				laterRounds: [[{ phone: ana }]],
				settings: { onError: 'continueRegularOutput' },
			},
		);
		expect(JSON.stringify(result.json)).toContain('which runs several times');
		expect(await service.control.requests()).toEqual([]);
	});

	it('refuses rows of a node in another branch, as after a copy of the sending node', async () => {
		const earlier = [...optOuts([cleo], { isApart: true }), ...optOuts([ana], { name: 'Others' })];
		const result = await send({ blockedRecipients: column }, { earlier });
		await expectRefusal(
			result,
			"reads Get opt-outs, which isn't before this node",
			'If you copied',
		);
	});

	it('refuses rows that are over an hour old, and takes younger ones', async () => {
		const old = await send(
			{ blockedRecipients: column },
			{ earlier: optOuts([ana], { ranMsAgo: 61 * minutes }) },
		);
		await expectRefusal(old, 'over an hour', 'Run Get opt-outs again right before this node');

		const young = await send(
			{ blockedRecipients: column },
			{ earlier: optOuts([ana], { ranMsAgo: 59 * minutes }) },
		);
		expect(young.json).toMatchObject([blocked, { recipient: ben }]);
	});

	it('refuses pinned rows in a manual run and its retry, unless it is a dry run', async () => {
		const earlier = [
			...optOuts([ana], { isPinned: true }),
			{ name: 'Get contacts', items: [{ phone: ana }], isPinned: true },
		];
		for (const mode of ['manual', 'retry'] as const) {
			const result = await send({ blockedRecipients: column }, { earlier, mode });
			await expectRefusal(result, 'the output of Get opt-outs is pinned', 'Unpin');
		}
		const dry = await send({ blockedRecipients: column }, { earlier, dryRun: 'manual' });
		expect(dry.json).toMatchObject([dryBlocked, { dryRun: true }]);

		const production = await send({ blockedRecipients: column }, { earlier, mode: 'trigger' });
		expect(production.json).toMatchObject([blocked, { recipient: ben }]);
	});

	it('refuses the run for pinned rows also with a result for each item', async () => {
		const { error } = await service.run(
			'sms/send',
			{ ...toPhone, output: 'itemResult', options: { blockedRecipients: column } },
			{
				items: [{ phone: ana }, { phone: ben }],
				earlier: optOuts([ana], { isPinned: true }),
			},
		);
		expect(error?.message).toContain('the output of Get opt-outs is pinned');
	});

	it('takes a list that other pinned nodes have nothing to do with', async () => {
		const earlier = [
			...optOuts([ana]),
			{ name: 'Get contacts', items: [{ phone: ana }], isPinned: true },
		];
		const { json } = await send({ blockedRecipients: column }, { earlier });
		expect(json).toMatchObject([blocked, { recipient: ben }]);
	});

	it('refuses the run also with a result for each item', async () => {
		const { error } = await service.run(
			'sms/send',
			{ ...toPhone, output: 'itemResult', options: { blockedRecipients: '={{ ["Sam"] }}' } },
			{ items: [{ phone: ana }, { phone: ben }] },
		);
		expect(error?.message).toContain('position 1 of 1');
		expect(await service.control.requests()).toEqual([]);
	});

	it('refuses each item with On Error: Continue, without a second look', async () => {
		const { json } = await send(
			{ blockedRecipients: `={{ ["${cleo}", "Sam"] }}` },
			{ settings: continues },
		);
		expect(json).toMatchObject([
			{ error: expect.stringContaining('position 2 of 2') },
			{ error: expect.stringContaining('position 2 of 2') },
		]);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('an empty list of Blocked Recipients', () => {
	const nobody: Earlier[] = [{ name: 'Get opt-outs', items: [{}] }];

	it.each<[string, string, Earlier[]]>([
		['a list of nobody', '={{ [] }}', []],
		['the empty row of Always Output Data', column, nobody],
	])(
		'refuses the run, unless Allow Empty List is on: %s',
		async (_, blockedRecipients, earlier) => {
			for (const allowEmptyList of [undefined, false, '={{ false }}']) {
				const limits = allowEmptyList === undefined ? {} : { allowEmptyList };
				const { error } = await send({ blockedRecipients, ...limits }, { earlier });
				expect(error?.message).toBe(empty);
			}
			expect(await service.control.requests()).toEqual([]);

			const { json, hints } = await send({ blockedRecipients, allowEmptyList: true }, { earlier });
			expect(json).toMatchObject([{ recipient: ana }, { recipient: ben }]);
			expect(hints.join()).toContain("'Blocked Recipients' is empty");
		},
	);

	it('is not a misspelled column of one row', async () => {
		const { error } = await send(
			{ blockedRecipients: column, allowEmptyList: true },
			{ earlier: [{ name: 'Get opt-outs', items: [{ mobile: ana }] }] },
		);
		expect(error?.message).toContain('the one at position 1 of 1 has no value');
	});

	it('is not an expression that returns nothing', async () => {
		for (const blockedRecipients of ['={{ undefined }}', "={{ '' }}", '={{ [null] }}']) {
			const { error } = await send({ blockedRecipients, allowEmptyList: true });
			expect(error?.message).toContain('Blocked Recipients');
		}
		expect(await service.control.requests()).toEqual([]);
	});

	it('changes nothing about a list with somebody on it', async () => {
		const { json } = await send({ blockedRecipients: ana, allowEmptyList: true });
		expect(json).toMatchObject([blocked, { recipient: ben }]);
	});
});

describe('a run whose items are there once for each opt-out', () => {
	const optedOut = ['61491570110', '61491570313', '61491570737'];
	const times = (people: unknown[]) => optedOut.flatMap(() => people);
	const earlier = optOuts(optedOut);
	const limits = { blockedRecipients: column };

	it('is refused, since everybody would get as many messages', async () => {
		const result = await send(limits, { earlier, to: times([ana, ben]) });
		await expectRefusal(
			result,
			'Each message is in the input 3 times',
			"'Settings > Execute Once'",
		);
	});

	it('is refused when some of the recipients are in the table twice', async () => {
		const result = await send(limits, { earlier, to: times([ana, ben, '+61 491 570 006']) });
		await expectRefusal(
			result,
			'Each message is in the input 3 times',
			"'Settings > Execute Once'",
		);
	});

	it('is refused when the list has fewer or more entries than the input has repeats', async () => {
		const to = Array.from({ length: 4 }, () => [ana, ben, ben]).flat();
		const result = await send(limits, { earlier, to });
		await expectRefusal(
			result,
			'Each message is in the input 4 times',
			"'Settings > Execute Once'",
		);
	});

	it('is refused when one of the recipients cannot be read', async () => {
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await send(limits, { earlier, settings, to: times([ana, 'Sam', ben]) });
		expect(json).toHaveLength(9);
		for (const each of json) expect(each).toHaveProperty('error');
		expect(await service.control.requests()).toEqual([]);
	});

	const rowsAfter = (rest: string) => `={{ ${column.slice(4, -3)}${rest} }}`;
	it.each([
		['runs once for each contact, too', [...optedOut, ...optedOut], column],
		[
			'has a row twice',
			[...optedOut.slice(1), optedOut[1]],
			`={{ [...new Set(${column.slice(4, -3)})] }}`,
		],
		['has a row without a number', [...optedOut.slice(1), ''], rowsAfter('.filter(Boolean)')],
	])('is refused when the node that reads the opt-outs %s', async (_, rows, blockedRecipients) => {
		const options = { earlier: optOuts(rows), to: times([ana, ben]) };
		const result = await send({ blockedRecipients }, options);
		const says = 'Each message is in the input 3 times';
		await expectRefusal(result, says, "'Settings > Execute Once'");
	});

	it.each([
		['each person is there once', [ana, ben, cleo]],
		['only some are there as often', [ana, ana, ana, ben, cleo, dan]],
		['they are there less often', [ana, ana, ben, ben, cleo, cleo]],
	])('is sent where %s', async (_, to) => {
		const { error } = await send(limits, { earlier, to });
		expect(error).toBeUndefined();
		expect(await service.recipients()).toEqual(to);
	});

	it('is sent once to each with a campaign', async () => {
		const people = times([ana, ben]).map((phone) => ({ phone }));
		const { error } = await service.sms(people, { ...limits, campaignName: 'spring' }, { earlier });
		expect(error).toBeUndefined();
		expect((await service.recipients()).sort()).toEqual([ana, ben].sort());
	});

	it('is one bulk message', async () => {
		const people = times([ana, ben]).map((to) => ({ to }));
		const { error } = await service.bulk(people, limits, { earlier });
		expect(error).toBeUndefined();
	});
});

describe('Mobile Numbers Only', () => {
	const skipped = { outcome: 'skipped', code: 'landline', canRetry: false };

	it.each<[what: string, phone: string, isSkipped: boolean]>([
		['an Australian landline', landline, true],
		['an Australian mobile', ana, false],
		['a British landline', '442079460123', true],
		['a number of the United States, which do not tell', '12025550143', false],
		['an Argentine mobile', '5491123456789', false],
		['an Argentine mobile as WhatsApp writes it', '541123456789', false],
		['a Brazilian mobile as WhatsApp writes it', '551187654321', false],
		['a Brazilian landline', '551123456789', true],
	])('judges %s', async (_, phone, isSkipped) => {
		const { json, error } = await send({ mobileOnly: true }, { to: [`+${phone}`] });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([isSkipped ? skipped : { recipient: expect.any(String) }]);
	});

	it('sends to landlines while it is off', async () => {
		const { json } = await send({ mobileOnly: false }, { to: [landline] });
		expect(json).toMatchObject([{ recipient: landline }]);
	});

	it('comes after Blocked Recipients, and before Allowed Recipients', async () => {
		const { json } = await send(
			{ mobileOnly: true, blockedRecipients: '+612555012*', allowedRecipients: ana },
			{ to: [landline, '61255505678', ana] },
		);
		expect(json).toMatchObject([blocked, skipped, { recipient: ana }]);
	});
});

describe('several numbers in one item', () => {
	const bulk = async (items: object[], options: object) => await service.bulk(items, options);

	it('leaves out the blocked ones and the landlines, and names them', async () => {
		const { json, error } = await bulk([{ to: [ana, landline, ben, 'Sam'] }, { to: cleo }], {
			blockedRecipients: ana,
			mobileOnly: true,
		});
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({
			recipients: 1,
			not_sent: expect.arrayContaining([
				{ number: ana, code: 'blocked' },
				{ number: landline, code: 'landline' },
				expect.objectContaining({ code: 'invalid_number' }),
			]),
		});
		expect(json[0]?.not_sent).toHaveLength(3);
		expect(json[1]).toMatchObject({ recipients: 1, not_sent: [] });
		expect(await service.control.requests()).toMatchObject([{ body: { to: `${ben},${cleo}` } }]);
	});

	it('skips an item of which nobody is left', async () => {
		const { json } = await bulk([{ to: [ana, landline] }, { to: landline }, { to: ben }], {
			blockedRecipients: ana,
			mobileOnly: true,
		});
		expect(json).toMatchObject([
			{ outcome: 'skipped', code: 'blocked' },
			{ outcome: 'skipped', code: 'landline' },
			{ recipients: 1 },
		]);
		expect(await service.control.requests()).toMatchObject([{ body: { to: ben } }]);
	});

	it('makes no request where nobody is left at all', async () => {
		const { json } = await bulk([{ to: ana }], { blockedRecipients: ana });
		expect(json).toMatchObject([blocked]);
		expect(await service.control.requests()).toEqual([]);
	});

	it('names the same ones in a dry run', async () => {
		const { json } = await bulk([{ to: [ana, ben] }, { to: ana }], {
			blockedRecipients: ana,
			dryRun: 'always',
		});
		expect(json).toMatchObject([
			{ dryRun: true, not_sent: [{ number: ana, code: 'blocked' }] },
			dryBlocked,
		]);
	});

	it('counts only those that get a message', async () => {
		const options = { blockedRecipients: ana, maxPerExecution: 2, maxPerRecipientPerDay: 1 };
		const { json, error } = await bulk([{ to: [ana, ben, cleo] }], options);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ recipients: 2 }]);

		const { json: later } = await bulk([{ to: [ana] }], { ...options, blockedRecipients: dan });
		expect(later).toMatchObject([{ recipients: 1 }]);
	});

	it('sends to the second of two with the same key, of whom the first is blocked', async () => {
		const { json, error } = await bulk([{ to: ana }, { to: ben }], {
			blockedRecipients: ana,
			deduplicationKey: 'household-1',
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([blocked, { recipients: 1 }]);
	});

	it('holds to Allowed Recipients only those that are left', async () => {
		const { json, error } = await bulk([{ to: [ana, ben] }], {
			blockedRecipients: ana,
			allowedRecipients: ben,
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ recipients: 1 }]);
	});
});

describe('a question', () => {
	it('is not asked', async () => {
		const { json, error } = await service.run(
			'sms/sendAndWait',
			{
				...{ message: 'Coming?', sender: '61491570110', recipient: ana, responseType: 'freeText' },
				options: { blockedRecipients: ana },
			},
			{ n8nUrl: 'https://n8n.example.com' },
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ replied: false, timedOut: false, code: 'blocked', reason: expect.any(String) },
		]);
		expect(await service.control.messages()).toEqual([]);
	});
});

describe('an agent', () => {
	it('is told that the person is blocked, and not to try in another way', async () => {
		const call = await service.tool('sms/send', {
			...toPhone,
			options: { blockedRecipients: ana },
		});
		const answer = String(await call({ phone: '+61 491 570 006' }));
		expect(answer).toContain('"code":"blocked"');
		expect(answer).toContain('"outcome":"skipped"');
		expect(answer).toMatch(/another (channel|spelling)/);
		expect(await service.control.requests()).toEqual([]);
	});

	it('gets an error while the list cannot be read', async () => {
		const call = await service.tool('sms/send', {
			...toPhone,
			options: { blockedRecipients: '={{ ["Sam"] }}' },
		});
		expect(String(await call({ phone: ana }))).toContain('Blocked Recipients');
		expect(await service.control.requests()).toEqual([]);
	});

	it.each(['={{ $json.blocked }}', '={{ $input.all().map((item) => item.json.blocked) }}'])(
		'cannot write the list itself: %s',
		async (blockedRecipients) => {
			const call = await service.tool('sms/send', { ...toPhone, options: { blockedRecipients } });
			expect(String(await call({ phone: ana, blocked: cleo }))).toContain('depends on the item');
			expect(await service.control.requests()).toEqual([]);
		},
	);
});

describe('Allowed Recipients', () => {
	const items = Array.from({ length: 50 }, () => ({ phone: ana, allowed: [ana] }));

	it.each([
		['a list', `={{ [${JSON.stringify(ana)}] }}`],
		['a list that cannot be read', '={{ ["Sam"] }}'],
	])('is read once for all items where its expression reads none: %s', async (_, value) => {
		const read = async (count: number) => {
			const run = async () =>
				await service.sms(
					items.slice(0, count),
					{ allowedRecipients: value },
					{ settings: continues },
				);
			return (await timeFields(run)).fields.reads;
		};
		const ofRecipientAndMessage = 2 * 49;
		expect((await read(50)) - (await read(1))).toBe(ofRecipientAndMessage);
	});

	it('is read for each item where its expression reads one', async () => {
		const own = [
			{ phone: ana, allowed: ana },
			{ phone: ben, allowed: cleo },
		];
		for (const value of [
			'={{ $json.allowed }}',
			'={{ [$json.allowed] }}',
			"={{ $('Start').item.json.allowed }}",
			"={{ $('Start').all()[$itemIndex].json.allowed }}",
			'={{ $input.item.json.allowed }}',
		]) {
			const { json } = await service.sms(
				own,
				{ allowedRecipients: value },
				{ settings: continues },
			);
			expect(json).toMatchObject([{ recipient: ana }, { details: { code: 'sending_limit' } }]);
		}
	});
});
