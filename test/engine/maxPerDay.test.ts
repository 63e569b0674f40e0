import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import { processorMs } from '../helpers/processorTime.ts';
import {
	continues,
	phones,
	retries,
	toPhone,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';
import type { RunOptions } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

/** The calendar of these tests; their workflows have n8n's own time zone, that of New York. */
const setTime = (text: string): void => {
	const begunMs = performance.now();
	vi.spyOn(Date, 'now').mockImplementation(() => Date.parse(text) + performance.now() - begunMs);
};
/** The nodes remember the counts of a workflow, but each test has a store of its own. */
let workflows = 0;
const workflowId = () => `workflow-of-the-day-${workflows}`;
beforeEach(() => {
	workflows++;
	setTime('2026-11-27T18:00:00-05:00');
});
afterEach(() => void vi.restoreAllMocks());

const midnight = '2026-11-28T00:00:00-05:00';
const tomorrow = '2026-11-28T18:00:00-05:00';
const dayAfter = '2026-11-29T18:00:00-05:00';

const fast = { requestsPerSecond: 500, onOutcomeUnknown: 'fail' };
type Fields = { output?: string } & Record<string, unknown>;
const run = async (
	people: string[],
	options: object,
	more: Partial<RunOptions> = { settings: continues },
	fields: Fields = {},
) =>
	await service.run(
		'sms/send',
		{ ...toPhone, ...fields, options: { ...fast, ...options } },
		{ items: people.map((phone) => ({ phone })), workflowId: workflowId(), ...more },
	);

const isUsedUp = {
	error: expect.stringContaining(`again from ${midnight}`),
	details: { code: 'limit_reached', canRetry: true, nextAllowedAt: midnight },
};
const sentTo = async () => (await service.recipients()).sort();
const requests = async () => (await service.control.requests({ path: '/v2/sms' })).length;

describe('Max per Day', () => {
	it('counts all recipients of the node, over its executions, until midnight in the zone of the workflow', async () => {
		await run(phones(2), { maxPerDay: 3 });
		const { json } = await run(phones(5).slice(2), { maxPerDay: 3 });
		expect(json).toMatchObject([{ recipient: phones(3)[2] }, isUsedUp, isUsedUp]);
		expect(await sentTo()).toEqual(phones(3));

		setTime('2026-11-27T23:59:50-05:00');
		expect((await run([phones(9)[8]!], { maxPerDay: 3 })).json).toEqual([isUsedUp]);
		setTime(midnight);
		await run(phones(5).slice(3), { maxPerDay: 3 });
		expect(await sentTo()).toEqual(phones(5));
	});

	it('sends 25 rows on three days, ten a day, to everybody once', async () => {
		const sent: number[] = [];
		for (const day of ['2026-11-27T18:00:00-05:00', tomorrow, dayAfter]) {
			setTime(day);
			const done = await service.recipients();
			const left = phones(25).filter((phone) => !done.includes(phone));
			const { json } = await run(left, { maxPerDay: 10 });
			sent.push(json.filter(({ error }) => error === undefined).length);
		}
		expect(sent).toEqual([10, 10, 5]);
		expect(await sentTo()).toEqual(phones(25));
	});

	it.each([
		['accepted', undefined, false],
		['not confirmed', 'status500AfterAcceptance', false],
		['refused', 'status403', true],
	] as const)(
		'after a message that was %s, there is room for another one: %s',
		async (_, fault, hasRoom) => {
			if (fault) await service.fault(fault, { path: '/v2/sms', count: 1 });
			const [first, second] = phones(2) as [string, string];
			await run([first], { maxPerDay: 1 });
			const { json } = await run([second], { maxPerDay: 1 });
			expect(json).toMatchObject(hasRoom ? [{ recipient: second }] : [isUsedUp]);
		},
	);

	it('counts nothing in a dry run, which begins at zero', async () => {
		const { json } = await run(phones(3), { maxPerDay: 2, dryRun: 'always' });
		expect(json).toMatchObject([
			{ dryRun: true },
			{ dryRun: true },
			{ details: { code: 'limit_reached' } },
		]);
		expect([...store.everTaken]).toEqual([]);
		expect((await run(phones(2), { maxPerDay: 2 })).json).toMatchObject(
			phones(2).map((recipient) => ({ recipient })),
		);
	});

	it('counts no item that its Deduplication Key skips, and leaves the key of one that has no room', async () => {
		const keyed = { maxPerDay: 2, deduplicationKey: '={{ $json.phone }}' };
		await run(phones(1), { deduplicationKey: '={{ $json.phone }}' });
		await run(phones(4), keyed);
		expect(await sentTo()).toEqual(phones(3));
		setTime(tomorrow);
		await run(phones(4), keyed);
		expect(await sentTo()).toEqual(phones(4));
	});

	it('gives the room of what is refused to later items of the run', async () => {
		for (const from of phones(3)) {
			await service.fault('status403', { path: '/v2/sms', bodyIncludes: from, count: 1 });
		}
		const { json } = await run(phones(25), { maxPerDay: 10 });
		expect(await service.recipients()).toHaveLength(10);
		expect(json.filter(({ details }) => details)).toHaveLength(15);
	});

	it('does not count again what Retry On Fail brings again', async () => {
		await service.fault('status429', { bodyIncludes: phones(20)[6]!, count: 7 }, { retryAfter: 0 });
		const { error } = await run(phones(20), { maxPerDay: 20 }, { settings: retries });
		expect(error).toBeUndefined();
		expect(await sentTo()).toEqual(phones(20));
	});

	it('takes no room for a person who has had the messages of the day', async () => {
		const both = { maxPerDay: 4, maxPerRecipientPerDay: 1 };
		await run(phones(2), both);
		await run(phones(6), both);
		expect(await sentTo()).toEqual(phones(4));
	});

	it.each([0, 5_001, 1.5, 'many', '={{ $json.missing }}', ''])('refuses %s', async (maxPerDay) => {
		const { error } = await run(phones(1), { maxPerDay }, {});
		expect(error?.message).toMatch(
			/'Sending Limits > Max per Day' (must be a whole number from 1 to 5000|is empty)/,
		);
		expect(await requests()).toBe(0);
	});

	it('counts questions', async () => {
		const ask = async () =>
			await service.run('sms/sendAndWait', {
				...exampleFields(operationsByName['sms/sendAndWait']!),
				sender: '61491570156',
				options: { maxPerDay: 1 },
			});
		expect((await ask()).error).toBeUndefined();
		expect((await ask()).error).toMatchObject({ code: 'limit_reached' });
	});

	it('holds for an agent over its calls, and tells it when the next message is allowed', async () => {
		const fields = { ...toPhone, options: { ...fast, maxPerDay: 3 } };
		const call = await service.tool('sms/send', fields);
		const answers = await Promise.all(
			phones(20).map(async (phone) => String(await call({ phone }))),
		);
		expect(answers.filter((answer) => answer.includes(`again from ${midnight}`))).toHaveLength(17);
		expect(await service.recipients()).toHaveLength(3);
	});
});

describe('a run that stops on errors', () => {
	const stops = { settings: {} };

	it('sends nothing if the day has no room for all of it, and says how many fit', async () => {
		await run(phones(2), { maxPerDay: 10 });
		const before = await requests();
		const { error } = await run(phones(12).slice(2), { maxPerDay: 10 }, stops);
		expect(error).toMatchObject({
			message: expect.stringContaining("'Max per Day' is 10, and only 8 of 10 messages fit today"),
			description: expect.stringContaining(midnight),
			code: 'limit_reached',
		});
		expect(await requests()).toBe(before);
		// What it asked for is free again.
		await run(phones(10).slice(2), { maxPerDay: 10 }, stops);
		expect(await sentTo()).toEqual(phones(10));
	});

	it('says so in another process, too, which has to find out what was sent', async () => {
		await run(phones(50), { maxPerDay: 100 });
		const all = phones(101).slice(50);
		const { error } = await run(all, { maxPerDay: 100 }, { ...stops, process: 'second' });
		expect(error?.message).toContain('50 of 51 messages fit today');
		const { json } = await run(all.slice(1), { maxPerDay: 100 }, { ...stops, process: 'second' });
		expect(json).toHaveLength(50);
	});

	it('sends all if there is room', async () => {
		const { error } = await run(phones(10), { maxPerDay: 10 }, stops);
		expect(error).toBeUndefined();
		expect(await sentTo()).toEqual(phones(10));
	});

	it('sends what fits where each item gets its result', async () => {
		const { json, error } = await run(phones(5), { maxPerDay: 3 }, stops, { output: 'itemResult' });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			...phones(3).map(() => ({ result: { outcome: 'sent' } })),
			...[1, 2].map(() => ({
				result: {
					outcome: 'notSent',
					code: 'limit_reached',
					canRetry: true,
					nextAllowedAt: midnight,
				},
			})),
		]);
	});
});

describe('bulk messages', () => {
	const bulk = async (items: object[], options: object, more: Partial<RunOptions> = {}) =>
		await service.bulk(items, options, {
			settings: continues,
			workflowId: workflowId(),
			...more,
		});

	it('count each number, and give back those that got nothing', async () => {
		const [ana, ben, cleo] = phones(3) as [string, string, string];
		await service.control.inbound({ from: ben, to: '61491570006', text: 'STOP' });
		await bulk([{ to: [ana, ben] }], { maxPerDay: 2 });
		const { json } = await bulk([{ to: [cleo] }, { to: phones(5).slice(3) }], { maxPerDay: 2 });
		expect(json).toMatchObject([{ recipients: 1 }, isUsedUp]);
	});

	it('hold back an item that does not fit as a whole, and send the others in one request', async () => {
		const items = [{ to: phones(3) }, { to: phones(6).slice(3) }, { to: phones(7).slice(6) }];
		const { json } = await bulk(items, { maxPerDay: 5 });
		expect(json).toMatchObject([{ recipients: 3 }, isUsedUp, { recipients: 1 }]);
		expect(await service.control.requests({ path: '/send-sms.json' })).toHaveLength(1);
	});

	it('of 31 rows send as many as fit, the first ones, and the rest on the next day', async () => {
		await run(phones(100).slice(90), { maxPerDay: 30 });
		const rows = phones(31).map((to) => ({ to }));
		const { json } = await bulk(rows, { maxPerDay: 30 }, { process: 'second' });
		expect(json.map(({ error }) => error === undefined)).toEqual(rows.map((_, row) => row < 20));
		setTime(tomorrow);
		const later = await bulk(rows.slice(20), { maxPerDay: 30 });
		expect(later.json).toMatchObject(rows.slice(20).map(() => ({ recipients: 1 })));
	});

	it('to a contact list are refused, since nobody knows how many it has', async () => {
		const { error } = await service.run('bulkSms/send', {
			...{ sendTo: 'list', listId: '1', sender: 'Acme', message: 'Hello' },
			options: { maxPerDay: 5 },
		});
		expect(error).toMatchObject({
			message: expect.stringContaining("'Max per Day' can't be used with a contact list"),
			code: 'sending_limit',
		});
	});
});

describe('a process that knows nothing of the day', () => {
	// Its code is read from the disk once.
	beforeEach(async () => void (await run(phones(1), { dryRun: 'always' }, { process: 'second' })));

	const fill = async (count: number) =>
		await service.bulk(
			[{ to: phones(count) }],
			{ maxPerDay: 5_000 },
			{ settings: continues, workflowId: workflowId() },
		);
	const one = async (more: Partial<RunOptions> = {}) => {
		let outcome = '';
		const ms = await processorMs(async () => {
			const phone = ['61491999999'];
			const { json } = await run(phone, { maxPerDay: 5_000 }, { settings: continues, ...more });
			outcome = json[0]?.error === undefined ? 'sent' : 'refused';
		});
		return { outcome, ms };
	};

	it.each([0, 1, 17, 4_999])(
		'decides on the next message within two seconds after %i',
		async (count) => {
			if (count > 0) await fill(count);
			const { outcome, ms } = await one({ process: 'second' });
			expect(outcome).toBe('sent');
			expect(ms).toBeLessThan(2_000);
			// What was asked for on the way is free again.
			const days = [...store.entries].filter((entry) => String(entry).startsWith('kudosity:day:'));
			expect(days).toHaveLength(count + 1);
		},
	);

	it('refuses the first one after the last, as fast', async () => {
		await fill(5_000);
		for (const process of ['second', 'first'] as const) {
			const { outcome, ms } = await one({ process });
			expect(outcome).toBe('refused');
			expect(ms).toBeLessThan(2_000);
		}
	});

	it('finds the room that was given back in the midst', async () => {
		await fill(4_999);
		await service.fault('status403', { path: '/v2/sms', count: 1 });
		expect((await one()).outcome).toBe('refused');
		expect((await one({ process: 'second' })).outcome).toBe('sent');
		expect((await one({ process: 'first' })).outcome).toBe('refused');
	});
});

it('together with Max per Recipient per Day, a full day is kept to its end, and the one before it is forgotten', async () => {
	const both = { maxPerDay: 5_000, maxPerRecipientPerDay: 1 };
	const fill = async () =>
		await service.bulk(
			[{ to: phones(5_000) }],
			{ ...both },
			{ settings: continues, workflowId: workflowId() },
		);
	await fill();
	setTime(tomorrow);
	await fill();
	const [{ error } = {}] = (await run(phones(1), both)).json;
	expect(error).toMatch(/^'Max per Recipient per Day' is 1/);
	const [{ error: ofTheDay } = {}] = (await run(['61491999999'], both)).json;
	expect(ofTheDay).toMatch(/^'Max per Day' is 5000/);
});

it('two processes that send at the same time never send more than the limit, and nothing of it is lost', async () => {
	await Promise.all([
		run(phones(20), { maxPerDay: 30 }, { settings: continues, process: 'first' }),
		run(phones(40).slice(20), { maxPerDay: 30 }, { settings: continues, process: 'second' }),
	]);
	expect((await service.recipients()).length).toBeLessThanOrEqual(30);
	await run(phones(80).slice(40), { maxPerDay: 30 });
	expect(await service.recipients()).toHaveLength(30);
});

it('the hundredth message of a day to a person is decided as fast', async () => {
	const options = { maxPerRecipientPerDay: 100 };
	const same = Array.from({ length: 99 }, () => phones(1)[0]!);
	await run(same, options);
	const takesMs = await processorMs(async () => {
		const { json } = await run(phones(1), options, { settings: continues, process: 'second' });
		expect(json).toMatchObject([{ recipient: phones(1)[0] }]);
	});
	expect(takesMs).toBeLessThan(2_000);
});

it('five hundred rows of bulk SMS for which the day has no room keep n8n busy for seconds, not minutes', async () => {
	const items = phones(500).map((phone) => ({ phone }));
	const fields = {
		...{ message: 'Sale', sender: '61491570158', recipients: '={{ $json.phone }}' },
		...{ output: 'itemResult', options: { maxPerDay: 1 } },
	};
	const takesMs = await processorMs(async () => {
		const { json } = await service.run('bulkSms/send', fields, {
			items,
			workflowId: workflowId(),
		});
		expect(json.map(({ result }) => (result as { outcome: string }).outcome)).toEqual([
			'sent',
			...Array.from({ length: 499 }, () => 'notSent'),
		]);
	});
	expect(takesMs).toBeLessThan(15_000);
});
