import { expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { executionOfEach, executionRows, executionsEnded, readExecutions } from './executions.ts';
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
	repeated,
	type Item,
} from './sending.ts';

/** The most keys that a workflow's messages hold in one process before they are answered. */
const mostTakenKeys = 10;

const keyListCount = workerConcurrency - 1;
const plainListCount = workerConcurrency + 1;

const startedBy = ({ logs }: N8nProcess): string[] =>
	[...logs().matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);

type Given = { workflowId: string; lists: Item[][] };

/** The numbers of the lists that a worker has begun with. */
const begunNumbers = async (queueMode: QueueMode, worker: N8nProcess, given: Given) => {
	const lists = given.lists.map((list) => numbersIn([list]));
	const ids = await executionOfEach(queueMode, given.workflowId, lists);
	const started = startedBy(worker);
	return lists.filter((_, index) => started.includes(ids[index]!)).flat();
};

/**
 * A worker of which the service has messages with and without a key. There is one: both workers are full, and
 * neither can be so with lists of one kind only.
 */
const workerThatSendsBoth = async (queueMode: QueueMode, keyed: Given, plain: Given) =>
	await until({ what: 'a worker to send both', intervalMs: 50 }, async () => {
		const accepted = await acceptedTimes(queueMode);
		for (const worker of queueMode.workers) {
			const withKey = await begunNumbers(queueMode, worker, keyed);
			const withoutKey = await begunNumbers(queueMode, worker, plain);
			const sendsBoth = [withKey, withoutKey].every((some) =>
				some.some((number) => accepted.has(number)),
			);
			if (sendsBoth) return { worker, withoutKey };
		}
		return undefined;
	});

/** Of what a worker without a life had begun to send without a key: what was accepted, and not finished. */
const acceptedOfLost = async (
	queueMode: QueueMode,
	{ workflowId, lists }: Given,
	lost: string[],
) => {
	const accepted = await acceptedTimes(queueMode);
	const rows = await executionRows(queueMode, workflowId);
	const numbers = lists.map((list) => numbersIn([list]));
	const ids = await executionOfEach(queueMode, workflowId, numbers);
	const isRunning = (index: number) =>
		rows.some(({ id, status }) => id === ids[index] && status === 'running');
	return numbers
		.filter((_, index) => isRunning(index))
		.flat()
		.filter((number) => lost.includes(number) && accepted.has(number));
};

/** A worker dies as soon as it has sent of both, and so in the middle of the lists without keys. */
const killWhileSending = async (queueMode: QueueMode) => {
	await queueMode.control.reset({ autoStatus: false, latencyMs: 100 });
	const withKey = await deploy(queueMode, 'killed-with-key', onceKey);
	const withoutKey = await deploy(queueMode, 'killed-without-key');
	const keyed = { workflowId: withKey, lists: listsOf(keyListCount, 10) };
	const plain = { workflowId: withoutKey, lists: listsOf(plainListCount, 20) };
	// Those with keys first, since they are slower and must not wait behind all others.
	await hand(queueMode, 'killed-with-key', keyed.lists);
	await hand(queueMode, 'killed-without-key', plain.lists);
	const { worker, withoutKey: lost } = await workerThatSendsBoth(queueMode, keyed, plain);
	await worker.kill();
	const certainlyLost = await acceptedOfLost(queueMode, plain, lost);
	const keyRows = await executionsEnded(queueMode, withKey, keyListCount);
	const plainRows = await executionsEnded(queueMode, withoutKey, plainListCount);
	return { worker, keyed, plain, keyRows, plainRows, lost, certainlyLost };
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
	expect(results.filter(({ code }) => code === 'already_messaged').length).toBeGreaterThanOrEqual(
		unsent.length,
	);
	expect(results).toHaveLength(keyed.length);
};

/** n8n 2 marks what a lost worker had in hand as failed. */
export const describeFailedJobs = (get: () => QueueMode): void => {
	it('survives a worker that is killed while it sends', async () => {
		const queueMode = get();
		const killed = await killWhileSending(queueMode);
		const { keyed, plain } = killed;

		const failed = [...killed.keyRows, ...killed.plainRows].filter(
			({ status }) => status !== 'success',
		);
		expect(failed.length).toBeGreaterThan(0);
		const [{ error } = {}] = await readExecutions(queueMode, failed.slice(0, 1));
		expect(error?.message).toContain('This execution failed to be processed too many times');
		const beforeAgain = await acceptedTimes(queueMode);
		expect(repeated(beforeAgain)).toEqual([]);

		// Whoever sent the items sends them again, while the lost worker is replaced.
		await hand(queueMode, 'killed-with-key', keyed.lists);
		await hand(queueMode, 'killed-without-key', plain.lists);
		const replacement = queueMode.launch('worker');
		const again = await executionsEnded(queueMode, keyed.workflowId, 2 * keyListCount);
		await executionsEnded(queueMode, plain.workflowId, 2 * plainListCount);
		queueMode.workers[queueMode.workers.indexOf(killed.worker)] = await replacement;

		const times = await acceptedTimes(queueMode);
		const results = await outputs(queueMode, again.slice(keyListCount));
		expectKeysKept(times, numbersIn(keyed.lists), results);

		// Without a key everything that was accepted before is sent once more, and nothing is missing.
		const all = numbersIn(plain.lists);
		const twice = all.filter((recipient) => beforeAgain.has(recipient));
		const sentTwice = repeated(times).filter((recipient) => all.includes(recipient));
		expect(sentTwice.sort()).toEqual(twice.sort());
		expect(all.filter((recipient) => !times.has(recipient))).toEqual([]);
	});
};

/** n8n 1 gives what a lost worker had in hand to another one, which begins it anew. */
export const describeRecoveredJobs = (get: () => QueueMode): void => {
	it('sends nothing with a key twice when another worker takes over', async () => {
		const queueMode = get();
		const killed = await killWhileSending(queueMode);

		const rows = [...killed.keyRows, ...killed.plainRows];
		expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'success'));
		const times = await acceptedTimes(queueMode);
		const results = await outputs(queueMode, killed.keyRows);
		expectKeysKept(times, numbersIn(killed.keyed.lists), results);

		// Without a key the new beginning repeats what the lost worker had sent, and nothing is missing.
		const { certainlyLost, lost } = killed;
		expect(certainlyLost.length).toBeGreaterThan(0);
		expect(repeated(times)).toEqual(expect.arrayContaining(certainlyLost));
		expect(lost).toEqual(expect.arrayContaining(repeated(times)));
		expect(Math.max(...times.values())).toBe(2);
		const all = numbersIn(killed.plain.lists);
		expect(all.filter((recipient) => !times.has(recipient))).toEqual([]);
	});
};
