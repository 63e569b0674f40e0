import { NotStartedError, OutcomeUnknownError, outcomeOf } from '../api/errors';
import type { Input } from '../fields/field';
import { mapConcurrently, maxInFlight, onFailure, settle } from '../lib/async';
import type { Json } from '../lib/json';
import { personOf } from '../lib/personOf';
import type { Batch, SendAll } from '../fields/operation';
import type { Attempt, Prepared, Results } from '../send/attempt';
import { uniqueNumbersOf } from '../send/duplicateNumbers';
import { isNotStarted, type ItemRunner } from './itemRunner';

const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

type Arrival = { attempt: Attempt; settle: (result: PromiseSettledResult<Json>) => void };

/** Holds items back until all have arrived or left; `flush` gets those that arrived, and returns their results. */
const createBarrier = (
	expected: number,
	flush: (inputs: Input[]) => Promise<Array<PromiseSettledResult<Json>>>,
) => {
	const arrivals: Arrival[] = [];
	let missing = expected;
	const countDown = () => {
		missing--;
		if (missing > 0 || arrivals.length === 0) return;
		// They arrive in another order if some wait for a key or a limit.
		arrivals.sort((one, other) => one.attempt.item - other.attempt.item);
		void flush(arrivals.map(({ attempt }) => attempt.input))
			.catch((reason: unknown) => arrivals.map(() => rejected(reason)))
			.then((results) => results.forEach((result, index) => arrivals[index]?.settle(result)));
	};
	return {
		arrive: async (attempt: Attempt): Promise<Json> => {
			const result = await new Promise<PromiseSettledResult<Json>>((settle) => {
				arrivals.push({ attempt, settle });
				countDown();
			});
			if (result.status === 'rejected') throw result.reason;
			return result.value;
		},
		leave: countDown,
	};
};

/** What only one item at a time may try: its Deduplication Key, and numbers that are not to get a second message. */
const claimsOf = (prepared: Prepared): string[] => {
	if (!('input' in prepared)) return [];
	const { deduplicationKey: key } = prepared.options;
	return [...(key === undefined ? [] : [`key ${key}`]), ...uniqueNumbersOf(prepared).map(personOf)];
};

/**
 * Items of a batch cannot wait for each other, since none goes before all have arrived. So items that claim the same go
 * in rounds; only a refused one leaves its claims to the next.
 */
const roundsOf = (items: Prepared[]): Prepared[][] => {
	const nextRound = new Map<string, number>();
	const rounds: Prepared[][] = [];
	for (const each of items) {
		const claims = claimsOf(each);
		const round = claims.reduce((latest, claim) => Math.max(latest, nextRound.get(claim) ?? 0), 0);
		for (const claim of claims) nextRound.set(claim, round + 1);
		(rounds[round] ??= []).push(each);
	}
	return rounds;
};

/** Runs an operation that sends several items in one request. Dry runs go last, apart from what is sent. */
export const runBatches = async (
	items: Prepared[],
	{ runItem, request, rehearse, breaker }: ItemRunner,
	batch: Batch<Input>,
): Promise<Results> => {
	let failure: unknown;
	const send = async (input: Input): Promise<Json> =>
		await onFailure(request(input), (error) => {
			failure ??= outcomeOf(error) === 'unknown' ? new OutcomeUnknownError(error) : error;
			breaker.failed();
		});
	const sendAll =
		(isDry: boolean): SendAll<Input> =>
		async (requests) => {
			const options = { maxInFlight, isOver: () => !isDry && !breaker.mayRequest() };
			const results = await mapConcurrently(requests, isDry ? rehearse : send, options);
			const unstarted = () => rejected(breaker.refused(new NotStartedError()));
			return requests.map((_, index) => results[index] ?? unstarted());
		};

	const results: Results = [];
	for (const isDry of [false, true]) {
		const sendBatch = batch.sender(isDry);
		for (const round of roundsOf(items.filter((each) => each.isDry === isDry))) {
			if (!isDry && !breaker.isClosed()) continue;
			const barrier = createBarrier(
				round.length,
				async (inputs) => await sendBatch(inputs, sendAll(isDry)),
			);
			const run = async (each: Prepared) => {
				let hasArrived = false;
				const dispatch = async (attempt: Attempt) => {
					hasArrived = true;
					return await barrier.arrive(attempt);
				};
				results[each.item] = await settle(runItem(each, dispatch));
				if (!hasArrived) barrier.leave();
			};
			await Promise.all(round.map(run));
		}
	}
	return items.map(({ item }) => {
		const result = results[item];
		const isStarted = result !== undefined && !isNotStarted(result);
		return isStarted ? result : rejected(new NotStartedError(failure));
	});
};
