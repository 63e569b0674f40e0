import { NotStartedError, OutcomeUnknownError, outcomeOf } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { waitingCodes } from '../api/failureCodes';
import type { Input } from '../fields/field';
import type { Batch } from '../fields/operation';
import { mapConcurrently, maxInFlight, onFailure, settle, settleNow } from '../lib/async';
import type { Json } from '../lib/json';
import type { Attempt, Dispatch, Prepared, Results } from '../send/attempt';
import { completeResults, isNotStarted } from '../send/circuitBreaker';
import type { Held } from '../send/claim';
import type { Pipeline } from '../send/pipeline';
import { isTogether, messageNameOf } from './alignBatch';
import type { ItemRunner } from './itemRunner';

const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

type Parts = { runner: ItemRunner; pipeline: Pipeline; batch: Batch<Input> };

/**
 * Sends all items with phone numbers in as few requests as possible. The outcome of each item is then read from the
 * responses for its numbers.
 */
async function sendTogether(
	attempts: Attempt[],
	isDry: boolean,
	{ runner, pipeline, batch }: Parts,
): Promise<Results> {
	const { breaker, request, simulate } = runner;
	const results: Results = [];
	const held: Array<{ attempt: Attempt; held: Held }> = [];
	const hold = async (attempt: Attempt): Promise<void> => {
		const claimed = await settle(pipeline.hold(attempt));
		if (claimed.status === 'rejected') {
			results[attempt.item] = claimed;
			// A temporary limit only refuses this item, which can be sent later. The other items are still sent.
			const isWaiting = waitingCodes.includes(failureCodeOf(claimed.reason));
			if (!isDry && !isWaiting) breaker.failed();
		} else if ('answer' in claimed.value) {
			results[attempt.item] = { status: 'fulfilled', value: [claimed.value.answer] };
		} else held.push({ attempt, held: claimed.value });
	};
	await mapConcurrently(attempts, hold, {
		maxInFlight: Infinity,
		isOver: () => !isDry && !breaker.isClosed(),
	});
	held.sort((one, other) => one.attempt.item - other.attempt.item);

	let failure: unknown;
	const send = async (input: Input): Promise<Json> =>
		await onFailure(request(input), (error) => {
			const isUnknown = outcomeOf(error) === 'unknown';
			failure ??= isUnknown ? new OutcomeUnknownError(error) : error;
			if (isUnknown) breaker.unanswered();
			breaker.failed();
		});
	const requests = batch.requestsFor(held.map(({ attempt }) => attempt.input));
	const sent = await mapConcurrently(requests, isDry ? simulate : send, {
		maxInFlight,
		isOver: () => !isDry && !breaker.mayRequest(),
	});
	// A request that was never made, e.g. because another one failed while it waited in the queue, gets the reason as
	// its result.
	const ended = requests.map((_, index) => {
		const result = sent[index];
		if (result && !isNotStarted(result)) return result;
		return rejected(breaker.refused(new NotStartedError(failure)));
	});
	const answerFor = batch.reader(requests, ended, isDry);
	const finish = async ({ attempt, held: claims }: (typeof held)[number]): Promise<void> => {
		const answer = settleNow(() => answerFor(attempt.input));
		const output = await settle(pipeline.finish(attempt, claims, answer));
		results[attempt.item] =
			output.status === 'fulfilled' ? { status: 'fulfilled', value: [output.value] } : output;
	};
	// The items finish together, so n8n's store writes all of their keys at once. If the items finished one by one,
	// releasing the keys of a rejected request would take minutes.
	await Promise.all(held.map(finish));
	return results;
}

/**
 * Sends the items with contact lists. Items with the same message and the same list share one request, so nobody gets
 * the message twice.
 */
async function sendToLists(
	items: Prepared[],
	isDry: boolean,
	{ runner: { runItem, request, simulate, breaker }, batch }: Parts,
): Promise<Results> {
	const names = new Set(items.flatMap((each) => ('error' in each ? [] : messageNameOf(each))));
	const requests = new Map<string, Promise<Json>>();
	const dispatch: Dispatch = async (attempt) => {
		const { input } = attempt;
		const name = messageNameOf(attempt);
		const earlier = requests.get(name);
		const answer = earlier ?? (isDry ? simulate(input) : request(input));
		requests.set(name, answer);
		const place = { number: requests.size, requests: names.size };
		const output = batch.toListOutput(input, await answer, isDry ? place : undefined);
		return earlier ? batch.toRepeatedOutput(output) : output;
	};
	const options = { maxInFlight, isOver: () => !isDry && !breaker.isClosed() };
	const ended = await mapConcurrently(
		items,
		async (each) => await runItem(each, dispatch),
		options,
	);
	const results: Results = [];
	for (const [index, each] of items.entries()) {
		const result = ended[index];
		// An item that was never started is reported as one that can be sent later. But if another item has requested
		// the same message, that request may have reached the list, so both items get the request's outcome.
		const isShared = !('error' in each) && requests.has(messageNameOf(each));
		results[each.item] =
			isShared && isNotStarted(result) ? await settle(runItem(each, dispatch)) : result!;
	}
	return results;
}

/** Finds the items whose key is also the key of an earlier item. Each is returned with that earlier item. */
function findRepeats(items: Prepared[]): Map<Prepared, { first: Attempt; attempt: Attempt }> {
	const firsts = new Map<string, Attempt>();
	const repeats = new Map<Prepared, { first: Attempt; attempt: Attempt }>();
	for (const attempt of items) {
		const key = 'error' in attempt ? undefined : attempt.key;
		if ('error' in attempt || key === undefined) continue;
		const first = firsts.get(key);
		if (first) repeats.set(attempt, { first, attempt });
		else firsts.set(key, attempt);
	}
	return repeats;
}

/**
 * Runs an operation that combines several items in one request. Dry-run items come last and share no requests with the
 * others.
 */
export async function runBatches(items: Prepared[], parts: Parts): Promise<Results> {
	const results: Results = [];
	for (const isDry of [false, true]) {
		const own = items.filter((each) => each.isDry === isDry);
		const repeats = findRepeats(own);
		// If several items have the same key, only the first one may claim it. A batch claims all its keys in one
		// write, so otherwise every item with the same key would get it.
		const firsts = own.filter((each) => !repeats.has(each));
		const others = firsts.filter((each) => !isTogether(each));
		Object.assign(results, await sendToLists(others, isDry, parts));
		Object.assign(results, await sendTogether(firsts.filter(isTogether), isDry, parts));
		// The first item with a key decides the outcome of the others: they are skipped, or fail with the same error.
		for (const { first, attempt } of repeats.values()) {
			const decided = results[first.item];
			if (decided?.status !== 'fulfilled') {
				if (decided) results[attempt.item] = decided;
				continue;
			}
			const neverSent = async () => await Promise.reject(new NotStartedError());
			const skipped = await settle(parts.pipeline.send(attempt, neverSent));
			results[attempt.item] =
				skipped.status === 'fulfilled' ? { ...skipped, value: [skipped.value] } : skipped;
		}
	}
	return completeResults(results, items);
}
