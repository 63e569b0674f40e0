import { NotBegunError, OutcomeUnknownError, outcomeOf } from '../api/errors';
import type { Json } from '../api/json';
import type { Input } from '../fields/field';
import { roundsOf } from '../sending/sendOnceKeys';
import { hasNotBegun } from './brake';
import { createGathering } from './gathering';
import type { ItemRunner } from './itemRunner';
import { mapConcurrently, mostInFlight, settle } from '../api/mapConcurrently';
import type { Combine, Former, Outcome } from './operation';
import type { Prepared } from './readItems';

type Results = Array<PromiseSettledResult<Json[]>>;
type Answers = Array<PromiseSettledResult<Json>>;

type Round = { items: number[]; isDry: boolean };

const keyOf = (prepared: Prepared | undefined): string | undefined =>
	prepared && 'input' in prepared ? prepared.message?.options.sendOnceKey : undefined;

/** Those that are only tried never meet those that are sent. */
const plan = (prepared: Prepared[]): Round[] =>
	[false, true].flatMap((isDry) => {
		const items = [...prepared.keys()].filter((item) => (prepared[item]?.isDry === true) === isDry);
		return roundsOf(items, (item) => keyOf(prepared[item])).map((round) => ({
			items: round,
			isDry,
		}));
	});

const notBegun = (since?: unknown): PromiseRejectedResult => ({
	status: 'rejected',
	reason: new NotBegunError(since),
});

const settleNow = <Value>(task: () => Value): PromiseSettledResult<Value> => {
	try {
		return { status: 'fulfilled', value: task() };
	} catch (reason) {
		return { status: 'rejected', reason };
	}
};

const mayHaveGoneOut = ({ result }: Former<Input>): boolean =>
	result.status === 'fulfilled' || outcomeOf(result.reason) !== 'refused';

/**
 * Combines the items that came together, sends the requests, and says what each item comes to. One for all rounds:
 * what went out in an earlier one does not go out again.
 */
const createSender = (
	{ send, tryOut, mayBegin }: ItemRunner,
	combine: Combine<Input, unknown>,
	{ isDry, failed }: { isDry: boolean; failed: (reason: unknown) => void },
) => {
	const former: Array<Former<Input>> = [];
	const answer = async (input: Input, number: number, requests: number): Promise<Json> => {
		if (isDry) {
			await tryOut(input);
			return { number, requests, ...combine.tried(input) };
		}
		return await send(input).catch((error: unknown) => {
			failed(error);
			throw error;
		});
	};
	return async (entries: Array<{ input: Input }>): Promise<Answers> => {
		const inputs = entries.map(({ input }) => input);
		const requests = combine.requestsOf(inputs, former);
		const asked = requests.filter(({ result }) => result === undefined);
		const answers = await mapConcurrently(
			asked,
			async ({ input }, index) => await answer(input, index + 1, asked.length),
			{ mostInFlight, stopAtFailure: false, isOver: () => !isDry && !mayBegin() },
		);
		const ended = asked.map((request, index) => ({
			...request,
			result: answers[index] ?? notBegun(),
		}));
		const outcomes = inputs.map((): Array<Outcome<unknown>> => []);
		for (const { shares, result } of [...requests, ...ended]) {
			if (!result) continue;
			for (const { of, share } of shares) outcomes[of]?.push({ share, result });
		}
		former.push(...ended.filter(mayHaveGoneOut));
		return inputs.map((input, index) =>
			settleNow(() => ({
				...(isDry && combine.wouldSend(input)),
				...combine.answerOf(input, outcomes[index] ?? []),
			})),
		);
	};
};

/** Runs an operation whose items go out in fewer requests than there are items. */
export const runTogether = async (
	prepared: Prepared[],
	runner: ItemRunner,
	combine: Combine<Input, unknown>,
): Promise<Results> => {
	const results: Results = [];
	let failure: unknown;
	const failed = (reason: unknown) => {
		failure ??= outcomeOf(reason) === 'unknown' ? new OutcomeUnknownError(reason) : reason;
		runner.failed();
	};
	const sendReally = createSender(runner, combine, { isDry: false, failed });
	const sendDry = createSender(runner, combine, { isDry: true, failed });
	for (const { items, isDry } of plan(prepared)) {
		if (!isDry && !runner.mayBegin()) continue;
		const send = isDry ? sendDry : sendReally;
		const gathering = createGathering<Input, Json>(items.length, send);
		const tasks = items.map(async (item) => {
			let hasCome = false;
			const ask = async (input: Input) => {
				hasCome = true;
				return await gathering.come({ item, input });
			};
			results[item] = await settle(runner.runItem(prepared[item]!, item, ask));
			if (!hasCome) gathering.stayAway();
		});
		await Promise.all(tasks);
	}
	return prepared.map((_, item) => {
		const result = results[item];
		return result === undefined || hasNotBegun(result) ? notBegun(failure) : result;
	});
};
