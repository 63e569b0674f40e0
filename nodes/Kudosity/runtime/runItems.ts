import type { IExecuteFunctions } from 'n8n-workflow';
import type { Json } from '../api/json';
import type { Input } from '../fields/field';
import { hasNotBegun } from './brake';
import { createItemRunner, type ItemRunner, type Running } from './itemRunner';
import { mapConcurrently, mostInFlight } from '../api/mapConcurrently';
import type { Combine } from './operation';
import type { Prepared } from './readItems';
import { runTogether } from './runTogether';

type Results = Array<PromiseSettledResult<Json[]>>;

export type Ran = {
	/** In the order of the items; those that never began have none. */
	results: Results;
	/** Whether a re-run leaves alone what was accepted. */
	remembersAnswers: boolean;
	/** The execution is to wait so long for a reply, in milliseconds since the epoch. */
	untilMs?: number;
};

/** One request or more for each item. Those of unknown outcome are looked up when all others are done. */
const runEach = async (prepared: Prepared[], runner: ItemRunner): Promise<Results> => {
	const results: Results = [];
	const isOver = () => !runner.mayBegin();
	do {
		const items = [...prepared.keys()].filter((item) => hasNotBegun(results[item]));
		const ended = await mapConcurrently(
			items,
			async (item) => await runner.runItem(prepared[item]!, item),
			{ mostInFlight, stopAtFailure: false, isOver },
		);
		ended.forEach((result, index) => (results[items[index]!] = result));
		for (const [item, answer] of await runner.lookUp()) {
			results[item] = { status: 'fulfilled', value: [answer] };
		}
	} while (!isOver() && prepared.some((_, item) => hasNotBegun(results[item])));
	return results;
};

/**
 * Runs an operation on all items, with overlapping requests, or combined into fewer.
 *
 * @returns in the order of the items; those that never began have no result
 */
export const runItems = async (
	context: IExecuteFunctions,
	prepared: Prepared[],
	running: Running,
): Promise<Ran> => {
	const runner = createItemRunner(context, running);
	const combine = running.operation.combine as Combine<Input, unknown> | undefined;
	const results = combine
		? await runTogether(prepared, runner, combine)
		: await runEach(prepared, runner);
	return { results, remembersAnswers: runner.remembersAnswers() };
};
