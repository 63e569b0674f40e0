import { beforeEach, describe, expect, it } from 'vitest';
import {
	continues,
	phones,
	retries,
	toPhone,
	toSeveral,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';
import type { NodeSettings } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben, cleo] = ['61491570006', '61491570156', '61491570157'];
const spellings = [ana, '+61491570006', '+61 491 570 006', '0061491570006', '+61 (0)491-570-006'];

type Item = { phone: string; text?: string };

const fast = { requestsPerSecond: 500 };
const run = async (items: Item[], options: object, settings: NodeSettings = continues) =>
	await service.sms(items, { ...fast, ...options }, { settings });
const runBulk = async (items: object[], options: object, settings: NodeSettings = continues) =>
	await service.bulk(items, options, { settings });

/** An agent in one execution, which gives `phone` and `text`. */
const agentWith = async (options: object) => {
	const call = await service.tool('sms/send', { ...toPhone, options: { ...fast, ...options } });
	return async (...items: Item[]) =>
		await Promise.all(
			items.map(async (item) => await call({ ...item }).then(String, (error) => String(error))),
		);
};

const recipients = async () => (await service.recipients()).sort();

const guard = (about: string) => ({
	error: expect.stringContaining(about),
	details: { code: 'sending_limit' },
});
const isUsedUp = (about: string) => ({
	error: expect.stringContaining(about),
	details: { code: 'limit_reached', canRetry: true },
});
/** The workflows of these tests have n8n's own time zone, that of New York. */
const isUsedUpToday = (about: string) => ({
	...isUsedUp(about),
	details: {
		...isUsedUp(about).details,
		nextAllowedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00-0[45]:00$/),
	},
});

describe('Allowed Recipients', () => {
	it.each([
		['a number in another spelling', '+61 491 570 006'],
		['the beginning of a number', '+6149157000*'],
		['the beginning of a number with a trunk zero', '+61 04*'],
		['the beginning of a number with a trunk zero in brackets', '+61 (0)491*'],
		['a number with a trunk zero', '+61 0491 570 006'],
		['a number with a trunk zero in brackets', '+61 (0)491 570 006'],
		['a country', 'au'],
		['one of several', 'NZ, +6421*\n+61 491 570 006'],
		['a list of an expression', `={{ ["NZ", ${ana}] }}`],
	])('lets %s pass', async (_, allowedRecipients) => {
		const { error } = await run(
			spellings.map((phone) => ({ phone })),
			{ allowedRecipients },
			{},
		);
		expect(error).toBeUndefined();
		expect(await recipients()).toEqual(spellings.map(() => ana));
	});

	it.each([
		['another number', ben],
		['another beginning', '+61491570007*'],
		['another country', 'NZ, US'],
	])('refuses whoever is not %s, in any spelling', async (_, allowedRecipients) => {
		const { json } = await run(
			spellings.map((phone) => ({ phone })),
			{ allowedRecipients },
		);
		expect(json).toEqual(spellings.map(() => guard('Allowed Recipients')));
		expect(json[0]?.error).not.toContain(ana);
		expect(await service.control.requests()).toEqual([]);
	});

	it('tells countries apart that share a calling code', async () => {
		const toronto = '+1 416 555 0123';
		const { json } = await run([{ phone: toronto }], { allowedRecipients: 'US' });
		expect(json).toEqual([guard('Allowed Recipients')]);
		expect((await run([{ phone: toronto }], { allowedRecipients: 'CA' })).error).toBeUndefined();
	});

	it('reads a number without a country code in the country of each item', async () => {
		const items = ['NZ', 'DE'].map((text) => ({ phone: '+64 21 1123 4567', text }));
		const options = { allowedRecipients: '02111234567', defaultCountry: '={{ $json.text }}' };
		const { json } = await run(items, options);
		expect(json).toMatchObject([{ recipient: '642111234567' }, guard('Allowed Recipients')]);
	});

	it('sends nothing at all when one item is refused and the node stops', async () => {
		const items = [{ phone: ana }, { phone: ben }];
		const { error } = await run(items, { allowedRecipients: ana }, {});
		expect(error).toMatchObject({ itemIndex: 1, code: 'sending_limit' });
		expect(await service.control.requests()).toEqual([]);
	});

	it('holds back an item of which one number is not allowed', async () => {
		const { json } = await runBulk([{ to: [ana, ben] }, { to: cleo }], {
			allowedRecipients: `${ana}, ${cleo}`,
		});
		expect(json).toMatchObject([guard('…0156'), { recipients: 1 }]);
		expect(await service.control.requests()).toMatchObject([{ body: { to: cleo } }]);
	});

	it.each([
		['*', 'has no number before the *'],
		['0491*', 'has an invalid prefix at position 1: no number begins with it'],
		['+61 004*', 'has an invalid prefix at position 1: no number begins with it'],
		['+1 1 212*', 'has an invalid prefix at position 1: no number begins with it'],
		['+28 1*', 'has an invalid prefix at position 1: no number begins with it'],
		['XX', 'has an unknown country'],
		['Sam', 'has an invalid entry'],
	])('refuses %s as an entry', async (allowedRecipients, problem) => {
		const { error } = await run([{ phone: ana }], { allowedRecipients }, {});
		expect(error?.message).toContain(`'Sending Limits > Allowed Recipients' ${problem}`);
	});
});

it.each(['allowedRecipients', 'dryRun', 'maxParts', 'maxPerExecution', 'maxPerRecipientPerDay'])(
	'refuses %s whose expression delivers nothing, rather than letting all pass',
	async (name) => {
		for (const value of ['={{ $json.missing }}', '']) {
			const { error } = await run([{ phone: ana }], { [name]: value }, {});
			expect(error?.message).toMatch(/^'(Options|Sending Limits) > .*' is empty$/);
		}
		expect(await service.control.requests()).toEqual([]);
	},
);

describe('Max per Execution', () => {
	const many = phones(250).map((phone) => ({ phone }));

	it('sends nothing when there are too many items and the node stops', async () => {
		const { error } = await run(many, { maxPerExecution: 100 }, {});
		expect(error).toMatchObject({ itemIndex: 100, code: 'limit_reached' });
		expect(await service.control.requests()).toEqual([]);
	});

	it('sends as many as it allows when the node continues', async () => {
		const { json } = await run(many, { maxPerExecution: 20 });
		expect(await recipients()).toEqual(phones(20));
		expect(json[20]).toEqual(isUsedUp('Max per Execution'));
	});

	it('counts the numbers of bulk messages', async () => {
		const [one, other] = [phones(20).slice(0, 10), phones(20).slice(10)];
		const rows = [{ to: one }, { to: other }];
		const { json } = await runBulk(rows, { maxPerExecution: 19 });
		expect(json).toMatchObject([{ recipients: 10 }, isUsedUp('Max per Execution')]);
		const both = await runBulk(rows, { maxPerExecution: 20 }, {});
		expect(both.error).toBeUndefined();
	});

	it('does not count again what Retry On Fail brings again', async () => {
		await service.fault('status429', { bodyIncludes: phones(20)[6]!, count: 7 }, { retryAfter: 0 });
		const items = phones(20).map((phone) => ({ phone }));
		const { error, json } = await run(
			items,
			{ maxPerExecution: 20, maxPerRecipientPerDay: 1 },
			retries,
		);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(20);
	});

	it('does not count items that their Deduplication Key skips', async () => {
		const deduplicationKey = '={{ $json.phone }}';
		await run([{ phone: ana }, { phone: ben }], { deduplicationKey });
		const all = [ana, ben, cleo].map((phone) => ({ phone }));
		const { json } = await run(all, { deduplicationKey, maxPerExecution: 1 }, {});
		expect(json).toMatchObject([
			{ code: 'already_messaged' },
			{ code: 'already_messaged' },
			{ recipient: cleo },
		]);
	});

	it('holds for an agent that calls 100 times at once', async () => {
		const call = await agentWith({ maxPerExecution: 3 });
		const answers = await call(...phones(100).map((phone) => ({ phone })));
		expect(await recipients()).toHaveLength(3);
		expect(answers.filter((answer) => answer.includes('Trying again'))).toHaveLength(97);
	});

	it('gives back what was refused, and keeps what may have been sent', async () => {
		const path = '/v2/sms';
		await service.fault('status403', { path, count: 1 });
		const call = await agentWith({ maxPerExecution: 2 });
		await call({ phone: ana });
		await call({ phone: ana });
		await service.fault('status500', { path, count: 1 });
		const [unknown] = await call({ phone: ben });
		const [refused] = await call({ phone: cleo });

		expect(unknown).toContain('Kudosity did not confirm the request');
		expect(refused).toContain('Max per Execution');
		expect(await recipients()).toEqual([ana]);
	});
});

describe('Max per Recipient per Day', () => {
	const once = { maxPerRecipientPerDay: 1 };

	it('sends once to a number that an agent spells in five ways, one after the other or at once', async () => {
		const call = await agentWith(once);
		const answers = [];
		for (const phone of spellings) answers.push(...(await call({ phone })));
		await call(...spellings.map((phone, index) => ({ phone, text: `Text ${index}` })));

		expect(await recipients()).toEqual([ana]);
		expect(answers[1]).toContain("writing the number differently, won't help");
	});

	it('sends once to a number when all calls are made at once', async () => {
		const call = await agentWith(once);
		await call(...spellings.map((phone, index) => ({ phone, text: `Text ${index}` })));
		expect(await recipients()).toEqual([ana]);
	});

	it('holds over executions, for each number', async () => {
		await run([{ phone: ana }], { maxPerRecipientPerDay: 2 });
		await run([{ phone: ana }], { maxPerRecipientPerDay: 2 });
		const third = await run([{ phone: ana }, { phone: ben }], { maxPerRecipientPerDay: 2 });

		expect(third.json).toMatchObject([
			isUsedUpToday('Max per Recipient per Day'),
			{ recipient: ben },
		]);
		expect(await recipients()).toEqual([ana, ana, ben]);
	});

	it('holds among the items of a run, before anything is sent', async () => {
		const { error } = await run([{ phone: ana }, { phone: spellings[1]! }], once, {});
		expect(error).toMatchObject({ itemIndex: 1, code: 'limit_reached' });
		expect(await service.control.requests()).toEqual([]);
	});

	it('holds among the items of a run that have Deduplication Keys', async () => {
		const keyed = { ...once, deduplicationKey: '={{ $json.text }}' };
		const two = [
			{ phone: ana, text: 'a' },
			{ phone: ana, text: 'b' },
		];
		const { json } = await run(two, keyed);
		expect(json).toEqual(expect.arrayContaining([isUsedUpToday('Max per Recipient per Day')]));
		expect(await recipients()).toEqual([ana]);
	});

	it('counts each of several messages that a run sends to a number', async () => {
		const three = ['a', 'b', 'c'].map((text) => ({ phone: ana, text }));
		await run(three, { maxPerRecipientPerDay: 4 });
		await run(three, { maxPerRecipientPerDay: 4 });
		expect(await recipients()).toHaveLength(4);
	});

	it('gives back what was refused, in this execution and in the store', async () => {
		await service.fault('status403', { path: '/v2/sms', count: 1 });
		await run([{ phone: ana }], once);
		expect(store.entries.size).toBe(0);
		await run([{ phone: ana }], once);
		expect(await recipients()).toEqual([ana]);
	});

	it('keeps what may have been sent', async () => {
		await service.fault('status500', { path: '/v2/sms', count: 1 });
		await run([{ phone: ana }], once);
		expect((await run([{ phone: ana }], once)).json).toEqual([
			isUsedUpToday('Max per Recipient per Day'),
		]);
	});

	it('counts ten messages at a time, since a process that is killed leaves them counted', async () => {
		await service.fault('slow', { path: '/v2/sms', count: 'forever' }, { delayMs: 300 });
		const running = run(
			phones(40).map((phone) => ({ phone })),
			once,
		);
		await service.control.waitForRequests({ path: '/v2/sms' }, { count: 1 });
		const days = [...store.entries].filter((entry) => String(entry).startsWith('kudosity:day:'));

		expect(days).toHaveLength(10);
		await running;
		expect(await recipients()).toHaveLength(40);
	});

	it('gives back the numbers that a bulk message was not sent to', async () => {
		await service.control.inbound({ from: ben, to: '61491570006', text: 'STOP' });
		const { json } = await runBulk([{ to: [ana, ben] }], once);
		expect(json).toMatchObject([{ not_sent: [{ number: ben, code: 'opted_out' }] }]);
		const today = [...store.entries].map(String);
		expect(today).toEqual([expect.stringContaining(ana)]);
	});

	it.each([{ maxPerRecipientPerDay: 1 }, { maxPerDay: 2 }, { maxPerExecution: 2 }])(
		'holds back no row of a person whom a bulk message reaches by another row: %j',
		async (limit) => {
			const rows = [{ to: ana }, { to: ben }, { to: ben }, { to: [ben, ana] }];
			const { json } = await runBulk(rows, limit);
			expect(json).toMatchObject(rows.map(({ to }) => ({ recipients: [to].flat().length })));
			const requests = await service.control.requests({ path: '/send-sms.json' });
			expect(requests).toMatchObject([{ body: { to: `${ana},${ben}` } }]);
		},
	);

	it('counts a person once, no matter how many rows of a bulk message have the number', async () => {
		const twice = { maxPerRecipientPerDay: 2 };
		await runBulk([{ to: ana }, { to: ana }], twice);
		const later = await runBulk([{ to: [ana, ben] }], twice);
		expect(later.json).toMatchObject([{ recipients: 2 }]);
		const third = await runBulk([{ to: ana }, { to: ana }], twice);
		expect(third.json).toEqual([isUsedUpToday('…0006'), isUsedUpToday('…0006')]);
	});
});

it('does not count a bulk item that is skipped for the key of an earlier one', async () => {
	const fields = { ...toSeveral, message: 'Hello' };
	const options = { maxPerRecipientPerDay: 1, deduplicationKey: '={{ $json.text }}' };
	const items = [
		{ to: ana, text: 'K' },
		{ to: ben, text: 'K' },
	];
	const { json } = await service.run(
		'bulkSms/send',
		{ ...fields, options },
		{ items, settings: continues },
	);
	expect(json).toMatchObject([{ recipients: 1 }, { code: 'already_messaged' }]);
	const later = await runBulk([{ to: ben }], { maxPerRecipientPerDay: 1 });
	expect(later.json).toMatchObject([{ recipients: 1 }]);
});

describe('bulk items that share numbers, of which one had its messages today', () => {
	beforeEach(async () => void (await run([{ phone: ana }], { maxPerRecipientPerDay: 1 })));

	it('are all held back for it, and none slips through while another one is checked', async () => {
		const { json } = await runBulk([{ to: [ana, ben] }, { to: ana }], { maxPerRecipientPerDay: 1 });
		expect(json).toEqual([isUsedUpToday('…0006'), isUsedUpToday('…0006')]);
		expect(await service.control.requests({ path: '/send-sms.json' })).toEqual([]);
	});

	it('leave the other numbers to a later run', async () => {
		const once = { maxPerRecipientPerDay: 1 };
		await runBulk([{ to: [ana, ben] }], once);
		expect((await runBulk([{ to: ben }], once)).json).toMatchObject([{ recipients: 1 }]);
	});
});

describe('Max SMS Parts', () => {
	const long = (parts: number) => 'a'.repeat(parts * 153);

	it('is 8 where nobody says otherwise, and can be raised', async () => {
		const items = [
			{ phone: ana, text: long(8) },
			{ phone: ana, text: long(9) },
		];
		const { json } = await run(items, {});
		expect(json).toMatchObject([{ parts: 8 }, guard('from 1377 to 1224 characters')]);
		const raised = await run([items[1]!], { maxParts: 9 });
		expect(raised.json).toMatchObject([{ parts: 9 }]);
	});

	it.each([
		['\u20ac'.repeat(81), 'from 162 to 160 characters (€ and [ ] count twice)'],
		[`${'a'.repeat(145)} [opt-out-link]`, 'from 162 to 160 characters (€ and [ ] count twice)'],
		['😀'.repeat(36), 'from 72 to 70 characters (emoji count twice)'],
	])('says how the characters of a text are counted: case %#', async (text, counted) => {
		const { json } = await run([{ phone: ana, text }], { maxParts: 1 });
		expect(json).toEqual([guard(counted)]);
	});

	it.each([
		['a', 160],
		['ж', 70],
	])('of 1 leaves the room of a single SMS: %s', async (character, room) => {
		const items = [{ phone: ana, text: character.repeat(room + 1) }];
		const { json } = await run(items, { maxParts: 1 });
		expect(json).toEqual([guard(`${room} characters`)]);
	});

	it.each([
		['whatsapp/send', {}],
		['rcs/send', { sender: 'PlaygroundAgent' }],
	])('holds for the SMS in place of a message: %s', async (name, fields) => {
		const { error } = await service.run(name, {
			recipient: ana,
			message: 'Hello',
			contentType: 'text',
			options: { smsFallbackMessage: long(9) },
			...fields,
		});
		expect(error?.message).toContain("'SMS Fallback Message' takes 9 SMS parts");
		expect(await service.control.requests()).toEqual([]);
	});
});

describe.each([
	['sms/send', { sender: 'Acme', recipient: ana }],
	['bulkSms/send', { sender: 'Acme', recipients: ana }],
])('the parts of a message: %s', (name, fields) => {
	const runTexts = async (texts: string | string[], options: object = {}) => {
		const items = [texts].flat().map((message) => ({ message }));
		return await service.run(
			name,
			{ ...fields, message: '={{ $json.message }}', options },
			{ items },
		);
	};

	it('shows parts and encoding beside the answer of the service', async () => {
		const plain = await runTexts('See you at 5 pm');
		expect(plain.json).toMatchObject([{ parts: 1, encoding: 'GSM-7' }]);

		const emoji = await runTexts(`${'Happy birthday! '.repeat(5)}\u{1F382}`);
		expect(emoji.json).toMatchObject([{ parts: 2, encoding: 'Unicode' }]);
		const messages = await service.control.messages();
		expect(messages.map(({ parts }) => parts)).toEqual(
			expect.arrayContaining([plain.json[0]?.parts, emoji.json[0]?.parts]),
		);
	});

	it('refuses a message with more parts than Max SMS Parts before anything is sent', async () => {
		const { error } = await runTexts(['Short', 'a'.repeat(161)], { maxParts: 1 });

		expect(error).toMatchObject({
			message: expect.stringContaining(
				"'Message' takes 2 SMS parts (GSM-7), but 'Max SMS Parts' is 1",
			),
			description: expect.stringContaining('Shorten the message'),
			itemIndex: 1,
		});
		expect(error?.message).not.toContain('aaa');
		expect(await service.control.requests()).toEqual([]);
	});

	it('sends a message of exactly Max SMS Parts parts', async () => {
		const { json, error } = await runTexts('a'.repeat(306), { maxParts: 2 });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ parts: 2 }]);
	});

	it.each([0, 1.5, 'two', true, '={{ [2] }}'])('refuses %s as Max SMS Parts', async (maxParts) => {
		const { error } = await runTexts('Hi', { maxParts });
		expect(error?.message).toContain(
			"'Sending Limits > Max SMS Parts' must be a whole number of at least 1",
		);
	});
});

it.each([null, 'none', [null]])(
	'takes a message as sent, whatever else the service says of it: not_sent %j',
	async (notSent) => {
		const sent = { id: 'm1', recipient: ana, sender: 'Acme', message: 'Hello', not_sent: notSent };
		await service.answer(sent, { path: '/v2/sms', method: 'POST' }, 201);
		const { json } = await run([{ phone: ana }], { maxPerExecution: 1 });

		expect(json).toMatchObject([{ id: 'm1' }]);
	},
);
