import { NotStartedError, InputError, OutcomeUnknownError, outcomeOf } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { waitingCodes } from '../api/failureCodes';
import type { Field, Input } from '../fields/field';
import type { Batch, Operation } from '../fields/operation';
import { withoutGeneralOptions } from '../fields/sendOptions';
import { mapConcurrently, maxInFlight, onFailure, settle, settleNow } from '../lib/async';
import { isJson, type Json } from '../lib/json';
import { type Attempt, type Dispatch, type Prepared, refused, type Results } from '../send/attempt';
import { isNotStarted } from '../send/circuitBreaker';
import type { Held } from '../send/claim';
import type { Pipeline } from '../send/pipeline';
import type { ItemRunner } from './itemRunner';

/** Returns the display name of the first field in which two items differ. Recipients are not compared. */
function findDifference(fields: readonly Field[], one: Input, other: Input): string | undefined {
	const labelIn = (among: readonly Field[], name: string) =>
		among.find(({ property }) => property.name === name)?.property.displayName ?? name;
	const differs = (name: string, left: Input, right: Input) =>
		JSON.stringify(left[name]) !== JSON.stringify(right[name]);
	const namesOf = (left: Input, right: Input) => Object.keys({ ...left, ...right });

	const name = namesOf(one, other).find((each) => each !== 'options' && differs(each, one, other));
	if (name !== undefined) return labelIn(fields, name);
	const [left, right] = [one.options, other.options].map((options) =>
		isJson(options) ? options : {},
	) as [Json, Json];
	const option = namesOf(left, right).find((each) => differs(each, left, right));
	const options = fields.find(({ property }) => property.name === 'options')?.fields ?? [];
	return option === undefined ? undefined : `Options > ${labelIn(options, option)}`;
}

/**
 * Returns an item's Sending Hours as a string. They must be the same in all items, because the items share requests.
 */
const hoursOf = ({ options }: Attempt): string => JSON.stringify(options.sendingHours);

/** Whether an item is sent to phone numbers, not to a contact list. */
const isTogether = (each: Prepared): each is Attempt =>
	!('error' in each) && each.to !== undefined && 'numbers' in each.to;

/** How many different messages one contact list may get in a run. */
const maxPerList = 2;

const listIdOf = ({ to }: Attempt): string | undefined =>
	to && 'listId' in to ? to.listId : undefined;

/** Returns a string that identifies a message and its contact list. Items with the same string share a request. */
const messageNameOf = ({ input }: Attempt): string => JSON.stringify(withoutGeneralOptions(input));

/**
 * Prepares the items of a run for shared requests. All items with phone numbers form one message, so each is compared
 * with the first of them: they may only differ in their recipients, and in options that concern a single item. Items
 * with the same contact list may have different messages, but each message goes to the whole list. Three or more
 * different messages are most likely a mistake: each was meant for one person.
 *
 * @returns the items, with small differences removed by `batch.createAligner`. If one item with phone numbers differs,
 * all items with phone numbers are refused. If a list would get too many messages, all of its items are refused
 */
export function alignBatch(
	items: Prepared[],
	operation: Operation,
	batch: Batch<Input>,
): Prepared[] {
	const aligners = new Map<string, (input: Input) => Input>();
	const aligned = items.map((each): Prepared => {
		if ('error' in each) return each;
		const name = listIdOf(each) ?? 'numbers';
		const align = aligners.get(name) ?? batch.createAligner();
		aligners.set(name, align);
		return { ...each, input: align(each.input) };
	});
	const refusal = refusalOfNumbers(aligned.filter(isTogether), operation, batch);
	const refusals = refusalsOfLists(aligned, operation);
	return aligned.map((each) => {
		if ('error' in each) return each;
		const error = isTogether(each) ? refusal : refusals.get(listIdOf(each) ?? '');
		return error ? refused(each, error) : each;
	});
}

/** Returns an error if the items with phone numbers don't all have the same message. */
function refusalOfNumbers(
	[first, ...others]: Attempt[],
	operation: Operation,
	batch: Batch<Input>,
): InputError | undefined {
	if (!first) return undefined;
	const messageOf = ({ input }: Attempt) => batch.withoutRecipients(withoutGeneralOptions(input));
	const message = messageOf(first);
	for (const each of others) {
		const difference =
			findDifference(operation.fields, message, messageOf(each)) ??
			(hoursOf(each) === hoursOf(first) ? undefined : 'Sending Limits > Sending Hours');
		if (difference === undefined) continue;
		return new InputError(
			`Bulk SMS sends one message, but item ${each.item + 1} differs from item ${first.item + 1} in '${difference}'`,
			'To send different messages, use SMS → Send, or put Loop Over Items with Batch Size 1 before this node',
		);
	}
	return undefined;
}

/** Returns an error for each contact list that would get too many messages, keyed by the list's ID. */
function refusalsOfLists(items: Prepared[], operation: Operation): Map<string, InputError> {
	/** For each list ID and each message to that list, the first item with the message. */
	const lists = new Map<string, Map<string, Attempt>>();
	for (const each of items) {
		const listId = 'error' in each ? undefined : listIdOf(each);
		if ('error' in each || listId === undefined) continue;
		const messages = lists.get(listId) ?? new Map<string, Attempt>();
		lists.set(listId, messages);
		const name = messageNameOf(each);
		if (!messages.has(name)) messages.set(name, each);
	}
	const tooMany = [...lists].filter(([, { size }]) => size > maxPerList);
	return new Map(
		tooMany.map(([listId, messages]) => {
			const [first, second] = [...messages.values()] as [Attempt, Attempt];
			const [one, other] = [first, second].map(({ input }) => withoutGeneralOptions(input));
			const difference = findDifference(operation.fields, one!, other!);
			const error = new InputError(
				`Everyone in the contact list would get ${messages.size} different messages, because item ${second.item + 1} differs from item ${first.item + 1} in '${difference}'`,
				"To send each person a different message, use SMS → Send. To send one message to the list, turn on 'Settings > Execute Once'",
			);
			return [listId, error] as const;
		}),
	);
}

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
			failure ??= outcomeOf(error) === 'unknown' ? new OutcomeUnknownError(error) : error;
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
	// releasing the keys of a refused request would take minutes.
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
	const names = items.flatMap((each) => ('error' in each ? [] : messageNameOf(each)));
	const requests = new Map<string, Promise<Json>>();
	const dispatch: Dispatch = async (attempt) => {
		const { input } = attempt;
		const name = messageNameOf(attempt);
		const earlier = requests.get(name);
		const answer = earlier ?? (isDry ? simulate(input) : request(input));
		requests.set(name, answer);
		const place = { number: requests.size, requests: new Set(names).size };
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
	return items.map(({ item }) => results[item] ?? rejected(new NotStartedError()));
}
