import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { filled, type Json } from '../api/json';
import { settle } from '../api/mapConcurrently';
import type { MessageParts } from '../api/messageParts';
import type { TransportAt } from '../api/transport';
import type { Witness } from '../api/witness';
import type { Input } from '../fields/field';
import { sendOptionsOf, withoutGeneralOptions } from '../fields/generalOptions';
import type { Tally } from './dryRun';
import type { Guards } from './guards';
import type { LookUp } from './lookUp';
import { createLookUps } from './lookUpBudget';
import type { Message } from './message';
import { createPutAside } from './putAside';
import { createSendOnce, type Send } from './sendOnce';
import { skippedItem } from './skippedItem';
import { isTool, shortAnswer } from './agentTool';

/** What one item asks for. */
export type Request = {
	input: Input;
	/** Of an operation that sends; guards look at nothing else. */
	message: Message | undefined;
	/** Of an operation that sends a text. */
	parts?: MessageParts;
	/** Whether nothing is to be sent. */
	isDry?: boolean;
};

/** What an item asks the service for, and who notes when. */
export type Ask = (input: Input, witness?: Witness) => Promise<Json>;

/** An operation that is not to be done twice. */
type Operation = {
	sends?: { lookUp?: LookUp<Input>; toldToAgents?: readonly string[] };
	once?: boolean | 'evenIfRefused';
	asks?: unknown;
	combine?: unknown;
};

type Sending = { operation: Operation; guards: Guards; tally: Tally };

const withParts = ({ parts }: Request, record: Json): Json => ({
	...record,
	...(parts && { parts: parts.parts, encoding: parts.encoding }),
});

/** Everything but the request, and nothing is remembered of it. */
export const createDrySender = (
	context: IExecuteFunctions,
	{ guards, tally }: Omit<Sending, 'operation'>,
) => {
	const note = isTool(context) ? { reason: 'Dry run: nothing was sent' } : {};
	return async (request: Request, item: number, ask: Ask): Promise<Json> => {
		const { input } = request;
		const { sendOnceKey: key } = sendOptionsOf(input);
		if (key !== undefined && guards.isRepeated(key, item)) {
			tally.skip();
			return { ...skippedItem(context.getInputData()[item]?.json, ''), dryRun: true };
		}
		const record = await guards
			.guarded(request, item, async () => withParts(request, await ask(input)))
			.catch((error: unknown) => {
				if (key !== undefined) guards.giveBack(key);
				throw error;
			});
		return filled({ dryRun: true, ...note, ...record });
	};
};

/** How a send is recognised, and what stands in the way of its repetition. */
const attemptOf = ({ once }: Operation, { input }: Request): Send => ({
	options: sendOptionsOf(input),
	requestOf: () => withoutGeneralOptions(input),
	spends: once === 'evenIfRefused',
});

type Outside = {
	clock: Clock;
	/** One that a stopped execution does not stop: keys are tidied up all the same. */
	keptClock: Clock;
	transportsWhile: (mayBegin: () => boolean) => TransportAt;
};

/** The items of an operation that is not to be done twice. */
export const createItemSender = (
	context: IExecuteFunctions,
	{ operation, guards }: Omit<Sending, 'tally'>,
	{ clock, keptClock, transportsWhile }: Outside,
) => {
	const { sends, asks } = operation;
	const unlessStopped = async () => await clock.unlessCancelled(Promise.resolve());
	const together = operation.combine !== undefined;
	const keeping = { clock: keptClock, unlessStopped, together };
	const { sendOnce, settleFound, answeredIds, during, hasBegun } = createSendOnce(context, keeping);
	const lookUpOf = sends?.lookUp;
	const aside = createPutAside(lookUpOf, clock);
	let find: ReturnType<typeof createLookUps> | undefined;
	const isShort = sends && !asks && isTool(context);
	const answerOf = (request: Request, record: Json): Json => {
		const answer = withParts(request, record);
		return isShort ? shortAnswer(answer, sends.toldToAgents) : answer;
	};

	const send = async (request: Request, item: number, ask: Ask): Promise<Json> => {
		const attempt = attemptOf(operation, request);
		const found = (record: Json): Json => {
			const answer = answerOf(request, record);
			settleFound(item, attempt, answer);
			return answer;
		};
		const asked = async () => {
			const tried = aside.begin(item, request.input, found);
			return await ask(tried?.input ?? request.input, tried?.witness);
		};
		return await sendOnce(item)(attempt, async () =>
			answerOf(request, await guards.guarded(request, item, asked)),
		);
	};
	return {
		send: async (request: Request, item: number, ask: Ask): Promise<Json> => {
			// After Stop, no key is taken and no count is made for what would not be sent.
			await unlessStopped();
			const result = await settle(send(request, item, ask));
			aside.ended(item, result);
			if (result.status === 'rejected') throw result.reason;
			return result.value;
		},
		/** @returns whether the item waits for `lookUp` */
		isPutAside: aside.has,
		/** @returns what was found of the items put aside, and how many of them were not */
		lookUp: async (): Promise<{ answers: Map<number, Json>; missing: number }> => {
			const doubts = aside.take();
			if (!lookUpOf || doubts.length === 0) return { answers: new Map(), missing: 0 };
			const search = (find ??= createLookUps({
				lookUp: lookUpOf,
				clock,
				answeredIds,
				transportsWhile,
			}));
			const answers = await during(async () => await search(doubts));
			return { answers, missing: doubts.length - answers.size };
		},
		/** Whether a re-run leaves alone what was accepted. */
		hasBegun,
	};
};
