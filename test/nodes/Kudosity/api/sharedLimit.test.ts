import { describe, expect, it } from 'vitest';
import { endpoints, openRun, type Transport } from '../../../seams.ts';
import { createRateLimit, takeRequest } from '../../../../playground/emulator/http/rateLimit.ts';
import { fakeClock, type FakeClock } from '../../../helpers/fakeClock.ts';

const latencyMs = 60;

/** A service that takes 15 requests a second from the whole account. */
const limitedService = (clock: FakeClock, rateLimitKind: 'tokenBucket' | 'slidingWindow') => {
	const limit = createRateLimit();
	const rule = { requestsPerSecond: 15, rateLimitKind };
	const statuses: number[] = [];
	const transport: Transport = async () => {
		const status = takeRequest(limit, rule, clock.now()) ? 200 : 429;
		statuses.push(status);
		await clock.sleep(latencyMs);
		return { kind: 'answer', status, headers: {}, text: '{"id":"a"}' };
	};
	return { transport, statuses };
};

describe.each(['tokenBucket', 'slidingWindow'] as const)('a limit of 15/s (%s)', (kind) => {
	it.each([
		['one process', [300]],
		['two processes at once', [150, 150]],
		['a process that begins while another is at work', [250, 50]],
		['four processes at once', [75, 75, 75, 75]],
	])('is shared by %s without a loss', async (_, counts) => {
		const clock = fakeClock();
		const { transport, statuses } = limitedService(clock, kind);
		const processes = counts.map((count) => {
			// Each process has a limit of its own and knows nothing of the others.
			const { call } = openRun(transport, { clock });
			return Array.from({ length: count }, async () => await call(endpoints.sendSms, {}));
		});

		expect(await Promise.all(processes.flat())).toHaveLength(300);
		const refused = statuses.filter((status) => status === 429).length;
		expect(refused).toBeLessThanOrEqual((counts.length - 1) * 30);
		// 300 requests at 15/s are 20 s; what processes lose that cannot talk to each other is bounded.
		expect(clock.now()).toBeLessThan(30_000);
	});
});
