import { createHash, randomUUID } from 'crypto';
import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';
import { outcomeOf } from '../api/errors';
import type { Json, SendOnce } from './operation';
import { sendMemory, type Attempt, type SendMemory } from './sendMemory';
import { createKeyStore, type KeyStore } from './sendOnceKeys';

/** A send of which nobody knows whether the service accepted it. */
export class OutcomeUnknownError extends Error {
	override name = 'OutcomeUnknownError';

	constructor(readonly reason: unknown) {
		super('Outcome unknown');
	}
}

type Settled = { answer: Json } | { reason: unknown; holdsKey?: boolean };

const settle = async (send: () => Promise<Json>): Promise<Settled> =>
	await send().then(
		(answer) => ({ answer }),
		(reason: unknown) => ({ reason }),
	);

const skipped: Json = {
	skipped: true,
	reason: 'A message with this Send Once Key was sent before, or may have been sent',
};

type Claim = { keys: KeyStore; key: string; isOurs: boolean };

/** Claims the key unless an earlier try of this item did, and gives it back only after a definite no. */
const sendWithKey = async (
	{ keys, key, isOurs }: Claim,
	send: () => Promise<Json>,
): Promise<Settled> =>
	await keys.exclusively(key, async () => {
		if (!isOurs && !(await keys.claim(key))) return { answer: skipped };
		const settled = await settle(send);
		if ('answer' in settled || outcomeOf(settled.reason) !== 'refused') return settled;
		return { ...settled, holdsKey: !(await keys.release(key)) };
	});

/** n8n's AI agents run the node in a context of its own, or as a node whose output goes to the agent. */
const isSubNode = (context: IExecuteFunctions) => 'getNextRunIndex' in context;
const isTool = (context: IExecuteFunctions) =>
	isSubNode(context) || context.getNode().rewireOutputLogTo === NodeConnectionTypes.AiTool;

const fingerprintOf = (request: unknown): string =>
	createHash('sha256').update(JSON.stringify(request)).digest('base64');

/**
 * How a later try of the same send is recognised. `place`: by run and item, whatever its text is by then
 * (an expression can hold the time); a sub-node has none, as each of its retries is a run of its own.
 * `doubt`: by content, for what an agent asks again because it was told that the outcome is unknown.
 */
const createNaming = (context: IExecuteFunctions) => {
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const hasPlaces = !isSubNode(context);
	const hasDoubts = isTool(context);
	return (itemIndex: number, request: unknown) => ({
		place: hasPlaces ? `${run}:${itemIndex}` : undefined,
		doubt: hasDoubts ? fingerprintOf(request) : undefined,
	});
};

type Names = ReturnType<ReturnType<typeof createNaming>>;

const recall = (memory: SendMemory, { place, doubt }: Names) =>
	(place === undefined ? undefined : memory.recall(place)) ??
	(doubt === undefined ? undefined : memory.recall(doubt));

/** What was accepted is remembered by place only: an agent may well send the same text twice. */
const remember = (memory: SendMemory, { place, doubt }: Names, attempt: Attempt) => {
	if (place !== undefined) memory.remember(place, attempt);
	if (doubt !== undefined && attempt.outcome === 'unknown') memory.remember(doubt, attempt);
};

/** Names are unique in a workflow. Without an execution there is nothing that could be run again. */
const memoryName = (context: IExecuteFunctions): string =>
	`${context.getExecutionId() ?? randomUUID()}:${context.getNode().name}`;

/**
 * Sends each item at most once in this execution, and each Send Once Key at most once in this workflow.
 * A re-run of the node (Retry On Fail) gets the remembered answers of what was accepted.
 */
export const createSendOnce = (context: IExecuteFunctions) => {
	const open = () => {
		const memory = sendMemory(memoryName(context));
		context.onExecutionFinish?.(memory.forget);
		return { memory, keys: createKeyStore(context), nameOf: createNaming(context) };
	};
	let opened: ReturnType<typeof open> | undefined;

	const sendOnce =
		(itemIndex: number): SendOnce =>
		async ({ options, request }, send) => {
			const { memory, keys, nameOf } = (opened ??= open());
			const names = nameOf(itemIndex, request);
			const earlier = recall(memory, names);
			if (earlier?.outcome === 'accepted') return earlier.answer;
			if (earlier?.outcome === 'unknown' && !options.repeatUnknown) {
				throw new OutcomeUnknownError(earlier.reason);
			}

			const key = options.sendOnceKey;
			const settled =
				key === undefined
					? await settle(send)
					: await sendWithKey({ keys, key, isOurs: earlier !== undefined }, send);
			if ('answer' in settled) {
				remember(memory, names, { outcome: 'accepted', answer: settled.answer });
				return settled.answer;
			}
			if (outcomeOf(settled.reason) === 'refused') {
				if (settled.holdsKey) remember(memory, names, { outcome: 'refused' });
				throw settled.reason;
			}
			remember(memory, names, { outcome: 'unknown', reason: settled.reason });
			throw new OutcomeUnknownError(settled.reason);
		};
	return { sendOnce, hasBegun: () => opened !== undefined };
};
