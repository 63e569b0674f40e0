import { expect, it } from 'vitest';
import { executionsEnded, readExecutions, type ExecutionRow } from './executions.ts';
import type { N8nProcess } from './n8nProcess.ts';
import { workerConcurrency, type QueueMode } from './queueMode.ts';
import { sendWorkflow } from './sendWorkflow.ts';

/** Twice what one worker takes at once, so that both have work. */
const executionCount = 2 * workerConcurrency;

/** The most keys that a workflow's messages hold in one process before they are answered. */
const mostTakenKeys = 10;

type Item = { recipient: string };

let numbersGiven = 0;
const recipients = (count: number): Item[] =>
	Array.from({ length: count }, () => ({ recipient: String(61_491_000_000 + numbersGiven++) }));

const listsOf = (count: number, perList: number): Item[][] =>
	Array.from({ length: count }, () => recipients(perList));

const onceKey = { sendOnceKey: '={{ $json.recipient }}' };

const deploy = async (
	{ rest, credentials }: QueueMode,
	name: string,
	options: Record<string, unknown> = {},
): Promise<string> => {
	const { id } = await rest.createWorkflow(sendWorkflow({ name, credentials, options }));
	await rest.activate(id);
	return id;
};

/** Starts one execution for each list. */
const hand = async ({ balancer }: QueueMode, name: string, lists: Item[][]) => {
	const answers = await Promise.all(
		lists.map(
			async (items) =>
				await fetch(`${balancer.url}/webhook/${name}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ items }),
				}),
		),
	);
	expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
};

/** How often each recipient was sent a message, as the service has it. */
const acceptedTimes = async ({ control }: QueueMode): Promise<Map<string, number>> => {
	const times = new Map<string, number>();
	for (const { recipient } of await control.messages()) {
		times.set(recipient, (times.get(recipient) ?? 0) + 1);
	}
	return times;
};

const repeated = (times: Map<string, number>): string[] =>
	[...times].filter(([, count]) => count > 1).map(([recipient]) => recipient);

const outputs = async (queueMode: QueueMode, rows: ExecutionRow[]) =>
	(await readExecutions(queueMode, rows)).flatMap(({ nodes }) =>
		(nodes.Kudosity?.items ?? []).map(({ json }) => json),
	);

const executionsOf = ({ logs }: N8nProcess): number =>
	logs().match(/Worker started execution/g)?.length ?? 0;

const numbersIn = (lists: Item[][]): string[] => lists.flat().map(({ recipient }) => recipient);

export const describeSends = (get: () => QueueMode): void => {
	it.each(['tokenBucket', 'slidingWindow'] as const)(
		'keeps to one account limit (%s): nothing lost, nothing repeated, every 429 recovered',
		async (rateLimitKind) => {
			const queueMode = get();
			await queueMode.control.reset({ autoStatus: false, latencyMs: 60, rateLimitKind });
			const before = queueMode.workers.map(executionsOf);
			const id = await deploy(queueMode, `shared-${rateLimitKind}`);
			const lists = listsOf(executionCount, 15);
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

	it('remembers every Send Once Key that both workers used at the same time', async () => {
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
		expect(again.filter(({ skipped }) => skipped)).toHaveLength(times.size);
	});

	it('gives a Send Once Key that all executions have to one of them', async () => {
		const queueMode = get();
		await queueMode.control.reset({ autoStatus: false, requestsPerSecond: 0 });
		const options = { ...onceKey, requestsPerSecond: 100 };
		const id = await deploy(queueMode, 'same-keys', options);
		const list = recipients(20);
		await hand(
			queueMode,
			'same-keys',
			Array.from({ length: executionCount }, () => list),
		);
		await executionsEnded(queueMode, id, executionCount);

		const times = await acceptedTimes(queueMode);
		expect([...times.keys()].sort()).toEqual(numbersIn([list]).sort());
		expect(repeated(times)).toEqual([]);
	});

	it('survives a worker that is killed while it sends', async () => {
		const queueMode = get();
		const { control, workers } = queueMode;
		await control.reset({ autoStatus: false, latencyMs: 100 });
		const withKey = await deploy(queueMode, 'killed-with-key', onceKey);
		const withoutKey = await deploy(queueMode, 'killed-without-key');
		const keyLists = listsOf(workerConcurrency, 10);
		const plainLists = listsOf(workerConcurrency, 10);
		await hand(queueMode, 'killed-with-key', keyLists);
		await hand(queueMode, 'killed-without-key', plainLists);
		await control.waitForMessages({}, { count: 40, timeoutMs: 60_000 });
		await workers[0]!.kill();
		const keyRows = await executionsEnded(queueMode, withKey, workerConcurrency);
		const plainRows = await executionsEnded(queueMode, withoutKey, workerConcurrency);

		// n8n marks what the worker had in hand as failed, and begins none of it again by itself.
		const lost = [...keyRows, ...plainRows].filter(({ status }) => status !== 'success');
		expect(lost.length).toBeGreaterThan(0);
		const [{ error } = {}] = await readExecutions(queueMode, lost.slice(0, 1));
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
		const keyed = numbersIn(keyLists);
		expect(repeated(times).filter((recipient) => keyed.includes(recipient))).toEqual([]);
		const unsent = keyed.filter((recipient) => !times.has(recipient));
		expect(unsent.length).toBeLessThanOrEqual(mostTakenKeys);
		const results = await outputs(queueMode, again.slice(workerConcurrency));
		expect(results.filter(({ skipped }) => skipped).length).toBeGreaterThanOrEqual(unsent.length);
		expect(results).toHaveLength(keyed.length);

		// Without a key everything that was accepted before is sent once more, and nothing is missing.
		const plain = numbersIn(plainLists);
		const twice = plain.filter((recipient) => beforeAgain.has(recipient)).sort();
		expect(
			repeated(times)
				.filter((recipient) => plain.includes(recipient))
				.sort(),
		).toEqual(twice);
		expect(plain.filter((recipient) => !times.has(recipient))).toEqual([]);
	});
};
