import type { IExecuteFunctions } from 'n8n-workflow';
import { ApiError, CancelledError, outcomeOf, OutcomeUnknownError } from '../api/errors';
import type { Json } from '../api/json';
import { settle } from '../api/mapConcurrently';
import type { SendOptions } from '../fields/sendOptions';
import { isAlone } from './agentTool';
import { createNaming, nameOfNode } from './attemptNames';
import { forget, recall, remember, rememberFound } from './remember';
import { sendMemory, type Attempt } from './sendMemory';
import { createKeyStore, type Keeping, type KeyStore } from './sendOnceKeys';
import { idOf, rememberSent } from './sentMessages';
import { skippedItem } from './skippedItem';

/**
 * Runs `send`, unless a former run of this item in this execution was accepted: then answers as it did,
 * whatever the request reads by now. Its key or an unknown outcome can forbid the send as well, see ADR 6.
 */
type SendOnce = (attempt: Send, send: () => Promise<Json>) => Promise<Json>;

/** What is asked of the service, and how. */
export type Send = {
	options: Pick<SendOptions, 'sendOnceKey' | 'repeatUnknown'>;
	requestOf: () => unknown;
	/** Whether a try that the service refused, but for a 429, has used something up, e.g. one of five attempts. */
	spends?: boolean;
};

type Settled = PromiseSettledResult<Json> & { holdsKey?: boolean };

type Claim = {
	keys: KeyStore;
	key: string;
	/** What an earlier try of this item came to, if it has the key. */
	holder: Attempt | undefined;
	fields: () => Json | undefined;
};

/** Claims the key unless an earlier try of this item did, and gives it back only when no try may have got through. */
const sendWithKey = async (
	{ keys, key, holder, fields }: Claim,
	send: () => Promise<Json>,
): Promise<Settled> =>
	await keys.exclusively(key, async () => {
		if (!holder && !(await keys.claim(key))) {
			return { status: 'fulfilled', value: skippedItem(fields(), keys.nameOf(key)) };
		}
		const settled = await settle(send());
		if (settled.status === 'fulfilled') {
			rememberSent(keys.nameOf(key), settled.value);
			return settled;
		}
		if (outcomeOf(settled.reason) !== 'refused' || holder?.outcome === 'unknown') return settled;
		return { ...settled, holdsKey: !(await keys.release(key)) };
	});

/**
 * Sends each item at most once in this execution, and each Send Once Key at most once in this workflow.
 * A re-run of the node (Retry On Fail) gets the remembered answers of what was accepted.
 */
export const createSendOnce = (context: IExecuteFunctions, keeping: Keeping) => {
	const open = () => {
		const memory = sendMemory(nameOfNode(context));
		context.onExecutionFinish?.(memory.forget);
		if (isAlone(context)) memory.dropOld();
		return { memory, nameOf: createNaming(context) };
	};
	let opened: ReturnType<typeof open> | undefined;
	const openOnce = () => (opened ??= open());
	let keyStore: KeyStore | undefined;
	const openKeys = () => (keyStore ??= createKeyStore(context, keeping));

	const sendOnce =
		(itemIndex: number): SendOnce =>
		async ({ options, requestOf, spends }, send) => {
			const { memory, nameOf } = openOnce();
			const names = nameOf(itemIndex, requestOf);
			const earlier = recall(memory, names);
			if (earlier?.outcome === 'accepted') return earlier.answer;
			if (earlier?.outcome === 'spent') throw earlier.reason;
			if (earlier?.outcome === 'unknown' && !options.repeatUnknown) {
				throw new OutcomeUnknownError(earlier.reason);
			}

			const key = options.sendOnceKey;
			const fields = () => context.getInputData()[itemIndex]?.json;
			// An expression can come to another key by now.
			const holder = earlier?.key === key ? earlier : undefined;
			const settled = await memory.during(
				async (): Promise<Settled> =>
					key === undefined
						? await settle(send())
						: await sendWithKey({ keys: openKeys(), key, holder, fields }, send),
			);
			if (settled.status === 'fulfilled') {
				remember(memory, names, { outcome: 'accepted', answer: settled.value });
				return settled.value;
			}
			if (outcomeOf(settled.reason) === 'refused') {
				if (earlier?.outcome === 'unknown') {
					if (settled.reason instanceof CancelledError) throw settled.reason;
					throw new OutcomeUnknownError(earlier.reason, settled.reason);
				}
				const isSpent =
					spends && settled.reason instanceof ApiError && settled.reason.fields.status !== 429;
				if (isSpent) remember(memory, names, { outcome: 'spent', reason: settled.reason });
				if (settled.holdsKey) remember(memory, names, { outcome: 'refused', key });
				else if (holder) forget(memory, names);
				throw settled.reason;
			}
			remember(memory, names, { outcome: 'unknown', reason: settled.reason, key });
			throw new OutcomeUnknownError(settled.reason);
		};

	/** The answer to a send of unknown outcome, found later: it counts as if it had come at once. */
	const settleFound = (itemIndex: number, { options, requestOf }: Send, answer: Json): void => {
		const { memory, nameOf } = openOnce();
		rememberFound(memory, nameOf(itemIndex, requestOf), answer);
		const { sendOnceKey: key } = options;
		if (key !== undefined) rememberSent(openKeys().nameOf(key), answer);
	};

	return {
		sendOnce,
		settleFound,
		/** The IDs of the messages that this node was answered with in this execution. */
		answeredIds: () => new Set(openOnce().memory.answers().map(idOf)),
		/** What this execution has sent is not forgotten while the task runs. */
		during: async <Value>(task: () => Promise<Value>) => await openOnce().memory.during(task),
		hasBegun: () => opened !== undefined,
	};
};
