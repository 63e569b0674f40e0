import { expect } from 'vitest';
import { readExecutions, type ExecutionRow } from './executions.ts';
import type { QueueMode } from './queueMode.ts';
import { sendWorkflow } from './sendWorkflow.ts';

export type Item = { recipient: string };

let numbersGiven = 0;
export const recipients = (count: number): Item[] =>
	Array.from({ length: count }, () => ({ recipient: String(61_491_000_000 + numbersGiven++) }));

export const listsOf = (count: number, perList: number): Item[][] =>
	Array.from({ length: count }, () => recipients(perList));

export const onceKey = { deduplicationKey: '={{ $json.recipient }}' };

export const deploy = async (
	{ rest, credentials }: QueueMode,
	name: string,
	options: Record<string, unknown> = {},
): Promise<string> => {
	const { id } = await rest.createWorkflow(sendWorkflow({ name, credentials, options }));
	await rest.activate(id);
	return id;
};

/** Starts one execution for each list. */
export const hand = async ({ balancer }: QueueMode, name: string, lists: Item[][]) => {
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
export const acceptedTimes = async ({ control }: QueueMode): Promise<Map<string, number>> => {
	const times = new Map<string, number>();
	for (const { recipient } of await control.messages()) {
		times.set(recipient, (times.get(recipient) ?? 0) + 1);
	}
	return times;
};

export const repeated = (times: Map<string, number>): string[] =>
	[...times].filter(([, count]) => count > 1).map(([recipient]) => recipient);

export const outputs = async (queueMode: QueueMode, rows: ExecutionRow[]) =>
	(await readExecutions(queueMode, rows)).flatMap(({ nodes }) =>
		(nodes.Kudosity?.items ?? []).map(({ json }) => json),
	);

export const numbersIn = (lists: Item[][]): string[] =>
	lists.flat().map(({ recipient }) => recipient);
