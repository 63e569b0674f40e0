import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { forgetBuiltNodes } from './engineModules.ts';
import { continues, phones, retries, useEmulator, useShortTimeouts } from './emulator.ts';

const service = useEmulator();
useShortTimeouts();

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
