import { describe, expect, it, vi } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { forgetBuiltNodes } from './engineModules.ts';
import {
	continues,
	phones,
	retries,
	toPhone,
	useDeduplicationStore,
	useEmulator,
	useShortTimeouts,
} from './emulator.ts';

const service = useEmulator();
useShortTimeouts();
useDeduplicationStore();

const fiveTries = { ...retries, maxTries: 5 };
const twenty = phones(20);
/** Item 7 of 20. */
const seventh = { bodyIncludes: twenty[6]! };

const run = async (options: object = {}, settings: object = {}) =>
	await service.sms(
		twenty.map((phone) => ({ phone })),
		{ requestsPerSecond: 200, onOutcomeUnknown: 'fail', ...options },
		{ settings: { ...fiveTries, ...settings } },
	);

/** Who got it, each once. */
const reached = async () => {
	const recipients = await service.recipients();
	expect(new Set(recipients).size).toBe(recipients.length);
	return recipients.length;
};

describe('Retry On Fail', () => {
	it('goes on where a 429 that would not end had stopped it', async () => {
		// The first run gives up after 7 tries of item 7, the second finds the service healed.
		await service.fault('status429', { ...seventh, count: 7 }, { retryAfter: 0 });
		const { json, error } = await run();

		expect(error).toBeUndefined();
		expect(json.map(({ recipient }) => recipient)).toEqual(twenty);
		expect(await reached()).toBe(20);
	});

	it.each([
		['500 after acceptance', 'status500AfterAcceptance'],
		['500 before acceptance', 'status500'],
		['a time-out after acceptance', 'timeoutAfterAcceptance'],
		['a reset after acceptance', 'resetAfterAcceptance'],
	] satisfies Array<[string, FaultRule['fault']]>)(
		'sends nothing twice after %s, and leaves the doubtful item alone',
		async (_, fault) => {
			await service.fault(fault, { ...seventh, count: 1 });
			const { error } = await run();

			expect(error).toMatchObject({ itemIndex: 6, code: 'outcome_unknown' });
			await reached();
			expect(await service.control.requests(seventh)).toHaveLength(1);
		},
	);

	it('sends the doubtful item again when the user takes the risk', async () => {
		await service.fault('status500', { ...seventh, count: 1 });
		const { json, error } = await run({ onOutcomeUnknown: 'repeat' });

		expect(error).toBeUndefined();
		expect(json).toHaveLength(20);
		expect(await reached()).toBe(20);
	});

	it('repeats nothing when the first item fails and the node continues', async () => {
		await service.fault('status500AfterAcceptance', { bodyIncludes: twenty[0]!, count: 1 });
		const { json } = await run({}, continues);

		expect(String(json[0]?.error)).toMatch(/^Kudosity did not confirm the request /);
		expect(json).toHaveLength(20);
		expect(await reached()).toBe(20);
	});

	it('tells how far the batch got', async () => {
		await service.fault('status403', { ...seventh, count: 'forever' });
		const { error } = await run();

		expect(error?.description).toContain(`${await reached()} of 20 items were completed`);
	});

	it('sends nothing any more that was still waiting for its turn, and shows the failure', async () => {
		await service.fault('status403', { count: 1 });
		const { error } = await run({ requestsPerSecond: 4 }, { retryOnFail: false });

		expect(error?.httpCode).toBe('403');
		expect((await service.control.requests()).length).toBeLessThan(10);
	});

	it('sends nothing twice when the package is updated between two tries', async () => {
		await service.fault('status403', { ...seventh, count: 1 });
		const updated = service.control.waitForRequests(seventh, { count: 1 });
		void updated.then(() => forgetBuiltNodes('first'));
		const { error } = await run({}, { waitBetweenTries: 1_000 });

		expect(error).toBeUndefined();
		expect(await reached()).toBe(20);
	});

	it('sends again in another execution', async () => {
		await run();
		await run();

		expect(await service.recipients()).toHaveLength(40);
	});
});

describe('Retry On Fail with what is held back', () => {
	const [ana, ben] = twenty;
	const landline = '61255501234';
	const send = async (options: object, to: unknown[] = [ana, ben], output = 'simplified') => {
		const items = to.map((phone) => ({ phone }));
		const fields = { ...toPhone, output, options: { requestsPerSecond: 500, ...options } };
		return await service.run('sms/send', fields, { items, settings: fiveTries });
	};

	it.each([
		['blocked', { blockedRecipients: ana }, [ana, ben]],
		['landline', { mobileOnly: true }, [landline, ben]],
		['already_messaged', { campaignName: 'spring' }, [ben, ben]],
	])('skips an item once, and sends the other one once: %s', async (code, options, to) => {
		const { json, error } = await send(options, to);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(json).toContainEqual(expect.objectContaining({ code, canRetry: false }));
		expect(await service.recipients()).toEqual([ben]);
	});

	it('fails outside the hours, without a request', async () => {
		vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-27T21:14:00+11:00'));
		const window = { timeZone: 'Australia/Sydney' };
		const { error } = await send({ sendingHours: { window } }).finally(() => vi.restoreAllMocks());
		expect(error).toMatchObject({ code: 'outside_hours' });
		expect(await service.control.requests()).toEqual([]);
	});

	it('sends what a limit has room for once, in any number of tries', async () => {
		const { json, error } = await send({ maxPerDay: 3 }, phones(10), 'itemResult');
		expect(error).toBeUndefined();
		expect(json).toHaveLength(10);
		expect(await reached()).toBe(3);
	});

	it('sends nothing where the limit has no room for the run', async () => {
		const { error } = await send({ maxPerDay: 3 }, phones(10));
		expect(error).toMatchObject({ code: 'limit_reached' });
		expect(await service.control.requests()).toEqual([]);
	});
});
