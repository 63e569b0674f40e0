import { expect, it } from 'vitest';
import { executionsEnded, readExecutions } from './executions.ts';
import { workerConcurrency, type QueueMode } from './queueMode.ts';
import {
	acceptedTimes,
	deploy,
	hand,
	listsOf,
	numbersIn,
	onceKey,
	outputs,
	repeated,
} from './sending.ts';

/** The most keys that a workflow's messages hold in one process before they are answered. */
const mostTakenKeys = 10;

/** Both workers have executions of both workflows in hand when the first one dies. */
const killWhileSending = async (queueMode: QueueMode) => {
	const { control, workers } = queueMode;
	await control.reset({ autoStatus: false, latencyMs: 100 });
	const withKey = await deploy(queueMode, 'killed-with-key', onceKey);
	const withoutKey = await deploy(queueMode, 'killed-without-key');
	const keyLists = listsOf(workerConcurrency, 10);
	// More of them, since without keys they go faster: none is done when the worker dies.
	const plainLists = listsOf(workerConcurrency, 20);
	// In turns, so that each worker has some of both.
	for (const [index, keyList] of keyLists.entries()) {
		await hand(queueMode, 'killed-with-key', [keyList]);
		await hand(queueMode, 'killed-without-key', [plainLists[index]!]);
	}
	await control.waitForMessages({}, { count: 40, timeoutMs: 60_000 });
	await workers[0]!.kill();
	const keyRows = await executionsEnded(queueMode, withKey, workerConcurrency);
	const plainRows = await executionsEnded(queueMode, withoutKey, workerConcurrency);
	return { withKey, withoutKey, keyLists, plainLists, keyRows, plainRows };
};

/** Nothing with a key was sent twice; only what was being sent may be missing, and is output as skipped. */
const expectKeysKept = (
	times: Map<string, number>,
	keyed: string[],
	results: Array<Record<string, unknown>>,
) => {
	expect(repeated(times).filter((recipient) => keyed.includes(recipient))).toEqual([]);
	const unsent = keyed.filter((recipient) => !times.has(recipient));
	expect(unsent.length).toBeLessThanOrEqual(mostTakenKeys);
	expect(results.filter(({ skipped }) => skipped).length).toBeGreaterThanOrEqual(unsent.length);
	expect(results).toHaveLength(keyed.length);
};

/** n8n 2 marks what a lost worker had in hand as failed. */
export const describeFailedJobs = (get: () => QueueMode): void => {
	it('survives a worker that is killed while it sends', async () => {
		const queueMode = get();
		const killed = await killWhileSending(queueMode);
		const { withKey, withoutKey, keyLists, plainLists } = killed;

		const failed = [...killed.keyRows, ...killed.plainRows].filter(
			({ status }) => status !== 'success',
		);
		expect(failed.length).toBeGreaterThan(0);
		const [{ error } = {}] = await readExecutions(queueMode, failed.slice(0, 1));
		expect(error?.message).toContain('This execution failed to be processed too many times');
		const beforeAgain = await acceptedTimes(queueMode);
		expect(repeated(beforeAgain)).toEqual([]);

		// Whoever sent the items sends them again, to the worker that is left.
		await hand(queueMode, 'killed-with-key', keyLists);
		await hand(queueMode, 'killed-without-key', plainLists);
		const again = await executionsEnded(queueMode, withKey, 2 * workerConcurrency);
		await executionsEnded(queueMode, withoutKey, 2 * workerConcurrency);
		queueMode.workers[0] = await queueMode.launch('worker');

		const times = await acceptedTimes(queueMode);
		const results = await outputs(queueMode, again.slice(workerConcurrency));
		expectKeysKept(times, numbersIn(keyLists), results);

		// Without a key everything that was accepted before is sent once more, and nothing is missing.
		const plain = numbersIn(plainLists);
		const twice = plain.filter((recipient) => beforeAgain.has(recipient));
		const sentTwice = repeated(times).filter((recipient) => plain.includes(recipient));
		expect(sentTwice.sort()).toEqual(twice.sort());
		expect(plain.filter((recipient) => !times.has(recipient))).toEqual([]);
	});
};

/** n8n 1 gives what a lost worker had in hand to another one, which begins it anew. */
export const describeRecoveredJobs = (get: () => QueueMode): void => {
	it('sends nothing with a key twice when another worker takes over', async () => {
		const queueMode = get();
		const killed = await killWhileSending(queueMode);

		const statuses = [...killed.keyRows, ...killed.plainRows].map(({ status }) => status);
		expect(statuses).toEqual(Array(2 * workerConcurrency).fill('success'));
		const times = await acceptedTimes(queueMode);
		const results = await outputs(queueMode, killed.keyRows);
		expectKeysKept(times, numbersIn(killed.keyLists), results);

		// Without a key the new beginning repeats what the lost worker had sent, and nothing is missing.
		const plain = numbersIn(killed.plainLists);
		const sentTwice = repeated(times).filter((recipient) => plain.includes(recipient));
		expect(sentTwice.length).toBeGreaterThan(0);
		expect(Math.max(...times.values())).toBe(2);
		expect(plain.filter((recipient) => !times.has(recipient))).toEqual([]);
	});
};
