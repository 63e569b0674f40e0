import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import { sendsWithoutQuestion } from '../helpers/sends.ts';
import {
	continues,
	phones,
	toPhone,
	toSeveral,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';
import { createLoneTool } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const timeZone = 'Australia/Sydney';
const hours = (more: object = {}) => ({ sendingHours: { window: { timeZone, ...more } } });

/** The calendar goes on as the nodes' clock does, from this time on. */
const setTime = (text: string): void => {
	const begunMs = performance.now();
	vi.spyOn(Date, 'now').mockImplementation(() => Date.parse(text) + performance.now() - begunMs);
};
afterEach(() => void vi.restoreAllMocks());

const friday = '2026-11-27';
const byDay = `${friday}T10:00:00+11:00`;
const atNight = `${friday}T21:14:00+11:00`;
const monday = '2026-11-30T09:00:00+11:00';

const fast = { requestsPerSecond: 500 };
const run = async (options: object, more: object = continues, items: object[] = [{ phone }]) =>
	await service.sms(items, { ...fast, ...options }, { settings: more });
const phone = '61491570006';

const tooLate = {
	error: expect.stringContaining(
		`It is Friday 21:14 in Australia/Sydney, outside 'Sending Hours'. Messages are allowed again from ${monday}`,
	),
	details: { code: 'outside_hours', canRetry: true, nextAllowedAt: monday },
};

describe.each(sendsWithoutQuestion)('Sending Hours of %s', (name) => {
	const send = async () =>
		await service.run(
			name,
			{
				...exampleFields(operationsByName[name]!),
				sender: name.startsWith('rcs')
					? 'PlaygroundAgent'
					: name.startsWith('whatsapp')
						? phone
						: 'Acme',
				options: hours(),
			},
			{ settings: continues },
		);

	it('let a message through within them', async () => {
		setTime(byDay);
		const { json } = await send();
		expect(json[0]).not.toHaveProperty('error');
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('hold it back outside of them, and say until when', async () => {
		setTime(atNight);
		const { json } = await send();
		expect(json).toEqual([tooLate]);
		expect(await service.control.requests()).toEqual([]);
	});
});

it('Sending Hours say when to a node that stops', async () => {
	setTime(atNight);
	const { error, run: ended } = await run(hours(), {});
	expect(error).toMatchObject({ code: 'outside_hours', message: expect.stringContaining(monday) });
	const failed = ended.data.resultData.runData.Kudosity?.[0]?.error;
	expect(failed?.context).toMatchObject({ nextAllowedAt: monday });
});

it.each([
	['sooner', { from: '21:00', to: '22:00' }, 'sent'],
	['later', { from: '22:00', to: '23:30' }, `${friday}T22:00:00+11:00`],
	['on another day', { to: '23:30', days: [1, 6] }, '2026-11-28T09:00:00+11:00'],
	['on this day only', { to: '20:00', days: [5] }, '2026-12-04T09:00:00+11:00'],
	['elsewhere', { timeZone: 'Europe/London' }, 'sent'],
	['further west', { timeZone: 'America/New_York' }, `${friday}T09:00:00-05:00`],
])('Sending Hours that end or begin %s', async (_, window, outcome) => {
	setTime(atNight);
	const { json } = await run(hours(window));
	const details = json[0]?.details as { nextAllowedAt?: string } | undefined;
	expect(details?.nextAllowedAt ?? 'sent').toBe(outcome);
});

it('a run that begins ten seconds before the hours end sends until they do, and nothing of the rest is used up', async () => {
	setTime(`${friday}T19:59:50+11:00`);
	const items = phones(20).map((each) => ({ phone: each }));
	const options = {
		...hours(),
		requestsPerSecond: 1,
		maxPerRecipientPerDay: 1,
		deduplicationKey: '={{ $json.phone }}',
	};
	const { json } = await run(options, continues, items);
	const sent = json.filter(({ error }) => error === undefined);

	expect(sent.length).toBeGreaterThanOrEqual(9);
	expect(sent.length).toBeLessThanOrEqual(11);
	expect(json.slice(sent.length)).toEqual(
		json.slice(sent.length).map(() => ({
			error: expect.stringContaining('Friday 20:00 in Australia/Sydney'),
			details: { ...tooLate.details, nextAllowedAt: monday },
		})),
	);
	expect(await service.recipients()).toHaveLength(sent.length);
	// The next morning, the others are sent.
	setTime(monday);
	await run({ ...options, requestsPerSecond: 500 }, continues, items);
	expect((await service.recipients()).sort()).toEqual(phones(20));
});

it('a message that Kudosity asks to repeat is not repeated outside the hours', async () => {
	setTime(`${friday}T19:59:50+11:00`);
	await service.fault('status429', { path: '/v2/sms', count: 1 }, { retryAfter: 15 });
	expect((await run(hours())).json).toMatchObject([{ details: { code: 'outside_hours' } }]);
	expect(await service.recipients()).toEqual([]);
});

it('nothing is claimed or counted outside the hours', async () => {
	setTime(atNight);
	await run({ ...hours(), deduplicationKey: 'K', maxPerRecipientPerDay: 1, maxPerExecution: 1 });
	expect([...store.everTaken]).toEqual([]);
});

it('a dry run says who would not get it, and why', async () => {
	setTime(atNight);
	const { json } = await run({ ...hours(), dryRun: 'always' });
	expect(json).toEqual([{ ...tooLate, details: { ...tooLate.details, dryRun: true } }]);
});

describe('a bulk message', () => {
	const bulk = async (options: object, items: object[] = [{ to: phone }], fields: object = {}) =>
		await service.run(
			'bulkSms/send',
			{ ...toSeveral, ...fields, options },
			{ items, settings: continues },
		);

	it('is checked at the time that Send At names', async () => {
		setTime(atNight);
		const inTime = await bulk({ ...hours(), sendAt: '2026-11-30T09:00:00+11:00' });
		expect(inTime.json).toMatchObject([{ recipients: 1 }]);
		setTime(byDay);
		const late = await bulk({ ...hours(), sendAt: '2026-11-28T12:30:00+11:00' });
		expect(late.json).toEqual([
			{
				error: expect.stringContaining(
					"'Send At' is Saturday 12:30 in Australia/Sydney, outside 'Sending Hours'",
				),
				details: tooLate.details,
			},
		]);
		expect(await service.control.requests({ path: '/send-sms.json' })).toHaveLength(1);
	});

	it('to a contact list is held back, too', async () => {
		setTime(atNight);
		const list = { sendTo: 'list', listId: '1', sender: 'Acme', message: 'Hello' };
		const fields = { ...list, recipients: undefined };
		expect((await bulk(hours(), [{}], fields)).json).toEqual([tooLate]);
		expect(await service.control.requests()).toEqual([]);
	});

	it('needs the same hours for all of its items', async () => {
		setTime(byDay);
		const items = [timeZone, 'Australia/Perth'].map((zone, index) => ({
			to: phones(2)[index],
			zone,
		}));
		const { json } = await bulk(hours({ timeZone: '={{ $json.zone }}' }), items);
		const differ = {
			error: expect.stringContaining("differs from item 1 in 'Sending Limits > Sending Hours'"),
			details: { code: 'invalid_input' },
		};
		expect(json).toEqual([differ, differ]);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('for an agent', () => {
	const fields = { ...toPhone, options: { ...fast, ...hours() } };

	it('the hours hold, and the answer says when', async () => {
		setTime(atNight);
		const call = await service.tool('sms/send', fields);
		expect(String(await call({ phone }))).toContain(`allowed again from ${monday}`);
		expect(await service.control.requests()).toEqual([]);
		setTime(monday);
		await call({ phone });
		expect(await service.recipients()).toEqual([phone]);
	});

	it('outside a workflow, the one sentence that it gets says when', async () => {
		setTime(atNight);
		const { limits, options } = { limits: hours(), options: fast };
		const parameters = { resource: 'sms', operation: 'send', ...toPhone, limits, options };
		const call = await createLoneTool({
			parameters: parameters as never,
			credentials: service.credentials,
		});
		await expect(call({ phone })).rejects.toThrow(`allowed again from ${monday}`);
	});
});

it('a question is not asked outside the hours, and leaves no webhook', async () => {
	setTime(atNight);
	const fields = exampleFields(operationsByName['sms/sendAndWait']!);
	const { error } = await service.run('sms/sendAndWait', {
		...fields,
		sender: '61491570156',
		options: hours(),
	});
	expect(error).toMatchObject({ code: 'outside_hours' });
	expect(await service.control.requests({ method: 'POST' })).toEqual([]);
});

describe('what is no window', () => {
	beforeEach(() => setTime(byDay));

	it.each([
		['no time zone', { timeZone: '' }, "'Sending Hours > Time Zone' is empty"],
		[
			'an expression that returns nothing',
			{ timeZone: '={{ $json.zone }}' },
			"'Sending Hours > Time Zone' is empty",
		],
		[
			'an unknown time zone',
			{ timeZone: 'Sydney' },
			"'Sending Hours > Time Zone' is not a time zone",
		],
		[
			'an abbreviation, which is another time elsewhere',
			{ timeZone: 'EST' },
			"'Sending Hours > Time Zone' means different times in different countries",
		],
		[
			'an offset with the opposite sign',
			{ timeZone: 'Etc/GMT+10' },
			"'Sending Hours > Time Zone' means different times in different countries",
		],
		['no day', { days: [] }, "'Sending Hours > Days' is empty"],
		['an eighth day', { days: [8] }, "'Sending Hours > Days' has an unknown value"],
		['no time', { from: '' }, "'Sending Hours > From' is empty"],
		['a time with am', { from: '9am' }, "'Sending Hours > From' is not a time of day"],
		['an hour too many', { to: '24:00' }, "'Sending Hours > To' is not a time of day"],
		[
			'an end before the beginning',
			{ from: '20:00', to: '09:00' },
			"'Sending Limits > Sending Hours' has a 'From' that is not before its 'To'",
		],
		[
			'an end at the beginning',
			{ from: '09:00', to: '9:00' },
			"'Sending Limits > Sending Hours' has a 'From' that is not before its 'To'",
		],
	])('is refused: %s', async (_, window, problem) => {
		const { error } = await run(hours(window), {});
		expect(error?.message).toContain(problem);
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([{}, { window: null }, 'always', null])('is refused: %j', async (sendingHours) => {
		const { error } = await run({ sendingHours }, {});
		expect(error?.message).toMatch(/'Sending Limits > Sending Hours' (has no hours|is empty)/);
		expect(await service.control.requests()).toEqual([]);
	});

	it('reads times and days as people and tables write them', async () => {
		const { json } = await run(hours({ from: '9:00', to: ' 20:00 ', days: '1,2,3,4,5' }));
		expect(json).toMatchObject([{ recipient: phone }]);
	});
});

it('Sending Hours are those of Monday to Friday, unless other days are chosen', async () => {
	const isSent: boolean[] = [];
	for (let day = 23; day <= 29; day++) {
		setTime(`2026-11-${day}T10:00:00+11:00`);
		const { json } = await run(hours());
		isSent.push(json[0]?.error === undefined);
	}
	expect(isSent).toEqual([true, true, true, true, true, false, false]);
});
