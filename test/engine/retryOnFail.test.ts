import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { continues, retries, useEmulator } from './emulator.ts';
import { shortenTimeouts } from './harness.ts';

const service = useEmulator();

let restoreTimeouts: () => void;
beforeAll(() => {
	restoreTimeouts = shortenTimeouts(1_000);
});
afterAll(() => restoreTimeouts());
const fiveTries = { ...retries, maxTries: 5 };
const items = Array.from({ length: 20 }, (_, index) => ({ n: String(100 + index) }));
/** Item 7 of 20. */
const seventh = { bodyIncludes: '61491570106' };

const run = async (options: object = {}, settings: object = {}) =>
	await service.run(
		'sms/send',
		{
			message: 'Hello',
			sender: 'Acme',
			recipient: '=61491570{{ $json.n }}',
			options: { requestsPerSecond: 200, lookUpUnknown: false, ...options },
		},
		{ items, settings: { ...fiveTries, ...settings } },
	);

const acceptedTimes = async () => {
	const times = new Map<string, number>();
	for (const { recipient } of await service.control.messages()) {
		times.set(recipient, (times.get(recipient) ?? 0) + 1);
	}
	return times;
};
const repeated = async () => [...(await acceptedTimes()).values()].filter((count) => count > 1);

describe('Retry On Fail', () => {
	it('goes on where a 429 that would not end had stopped it', async () => {
		// The first run gives up after 7 tries of item 7, the second finds the service healed.
		await service.fault('status429', { ...seventh, count: 7 }, { retryAfter: 0 });
		const { json, error } = await run();

		expect(error).toBeUndefined();
		expect(json).toHaveLength(20);
		expect(json.map(({ recipient }) => recipient)).toEqual(items.map(({ n }) => `61491570${n}`));
		expect((await acceptedTimes()).size).toBe(20);
		expect(await repeated()).toEqual([]);
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

			expect(error).toMatchObject({ itemIndex: 6 });
			expect(error?.message).toMatch(/^Outcome unknown: /);
			expect(await repeated()).toEqual([]);
			const attempts = await service.control.requests({ bodyIncludes: '61491570106' });
			expect(attempts).toHaveLength(1);
		},
	);

	it('sends the doubtful item again when the user takes the risk', async () => {
		await service.fault('status500', { ...seventh, count: 1 });
		const { json, error } = await run({ repeatUnknown: true });

		expect(error).toBeUndefined();
		expect(json).toHaveLength(20);
		expect(await repeated()).toEqual([]);
	});

	it('repeats nothing when the first item fails and the node continues', async () => {
		await service.fault('status500AfterAcceptance', { bodyIncludes: '61491570100', count: 1 });
		const { json } = await run({}, continues);

		expect(String(json[0]?.error)).toMatch(/^Outcome unknown: /);
		expect(json).toHaveLength(20);
		expect(await repeated()).toEqual([]);
	});

	it('tells how far the batch got', async () => {
		await service.fault('status403', { ...seventh, count: 'forever' });
		const { error } = await run();

		const done = (await acceptedTimes()).size;
		expect(error?.description).toContain(`${done} of 20 items were done`);
	});

	it('sends nothing any more that was still waiting for its turn, and shows the failure', async () => {
		await service.fault('status403', { count: 1 });
		const { error } = await run({ requestsPerSecond: 4 }, { retryOnFail: false });

		expect(error?.httpCode).toBe('403');
		expect((await service.control.requests()).length).toBeLessThan(10);
	});

	it('sends again in another execution', async () => {
		await run();
		await run();

		expect((await service.control.messages()).length).toBe(40);
	});
});
