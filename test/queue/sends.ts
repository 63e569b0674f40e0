import { expect, it } from 'vitest';
import { firstOf, runsAll } from '../helpers/runsAll.ts';
import { executionsEnded } from './executions.ts';
import type { N8nProcess } from './n8nProcess.ts';
import { workerConcurrency, type QueueMode } from './queueMode.ts';
import {
	acceptedTimes,
	deploy,
	hand,
	listsOf,
	numbersIn,
	onceKey,
	outputs,
	recipients,
	repeated,
} from './sending.ts';

/** Twice what one worker takes at once, so that both have work. */
const executionCount = 2 * workerConcurrency;

const executionsOf = ({ logs }: N8nProcess): number =>
	logs().match(/Worker started execution/g)?.length ?? 0;

export const describeSends = (get: () => QueueMode): void => {
	it.each(firstOf(1, ['tokenBucket', 'slidingWindow'] as const))(
		'keeps to one account limit (%s): nothing lost, nothing repeated, every 429 recovered',
		async (rateLimitKind) => {
			const queueMode = get();
			// The two workers send up to 28 per second, so they meet this limit on a busy machine, too.
			const limit = { requestsPerSecond: 10, rateLimitKind };
			await queueMode.control.reset({ autoStatus: false, latencyMs: 60, ...limit });
			const before = queueMode.workers.map(executionsOf);
			const id = await deploy(queueMode, `shared-${rateLimitKind}`);
			const lists = listsOf(executionCount, 10);
			await hand(queueMode, `shared-${rateLimitKind}`, lists);
			const rows = await executionsEnded(queueMode, id, executionCount);

			const times = await acceptedTimes(queueMode);
			expect([...times.keys()].sort()).toEqual(numbersIn(lists).sort());
			expect(repeated(times)).toEqual([]);
			const results = await outputs(queueMode, rows);
			expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
			expect(results).toHaveLength(times.size);
			const throttled = await queueMode.control.requests({ status: 429 });
			expect(throttled.length).toBeGreaterThan(0);
			const share = queueMode.workers.map((worker, index) => executionsOf(worker) - before[index]!);
			expect(share).toEqual([workerConcurrency, workerConcurrency]);
		},
	);

	it.runIf(runsAll)(
		'remembers every Deduplication Key that both workers used at the same time',
		async () => {
			const queueMode = get();
			await queueMode.control.reset({ autoStatus: false, requestsPerSecond: 0 });
			const options = { ...onceKey, requestsPerSecond: 100 };
			const id = await deploy(queueMode, 'different-keys', options);
			const lists = listsOf(executionCount, 20);
			await hand(queueMode, 'different-keys', lists);
			await executionsEnded(queueMode, id, executionCount);
			await hand(queueMode, 'different-keys', lists);
			const rows = await executionsEnded(queueMode, id, 2 * executionCount);

			const times = await acceptedTimes(queueMode);
			expect([...times.keys()].sort()).toEqual(numbersIn(lists).sort());
			expect(repeated(times)).toEqual([]);
			const again = await outputs(queueMode, rows.slice(executionCount));
			expect(again.filter(({ code }) => code === 'already_messaged')).toHaveLength(times.size);
		},
	);

	it.each([
		['a Deduplication Key', 'same-keys', onceKey],
		['a person of a campaign', 'same-campaign', { campaignName: 'We have moved' }],
	])('gives %s that all executions have to one of them', async (_, name, once) => {
		const queueMode = get();
		await queueMode.control.reset({ autoStatus: false, requestsPerSecond: 0 });
		const options = { ...once, requestsPerSecond: 100 };
		const id = await deploy(queueMode, name, options);
		const list = recipients(20);
		await hand(
			queueMode,
			name,
			Array.from({ length: executionCount }, () => list),
		);
		await executionsEnded(queueMode, id, executionCount);

		const times = await acceptedTimes(queueMode);
		expect([...times.keys()].sort()).toEqual(numbersIn([list]).sort());
		expect(repeated(times)).toEqual([]);
	});
};
