import { lruMap } from '../lib/async';

const maxClaims = 10_000;

/** What this process has claimed lately. */
const createMemory = <Value extends object | string | true>() => {
	const { get, set, delete: remove } = lruMap<Value>(maxClaims);
	return {
		get,
		delete: remove,
		/** @returns whether the name was free */
		add: (name: string, value: Value): boolean => {
			if (get(name) !== undefined) return false;
			set(name, value);
			return true;
		},
	};
};

/** By the ID of the question's webhook. */
export const explained = createMemory<true>();

/**
 * Which question got which reply. n8n 2 lets one reply through by itself; n8n 1 lets two through that arrive
 * together, as the two events of a STOP do. And one reply arrives at every question that is open.
 */
const createAnswers = () => {
	const replyOf = createMemory<{ replyId?: string }>();
	const questionOf = createMemory<string>();
	return {
		/** @returns whether the question was still open */
		claim: (webhookId: string, reply: { replyId?: string; isAnswer: boolean }): boolean => {
			const { replyId, isAnswer } = reply;
			if (!replyOf.add(webhookId, { replyId })) return false;
			// An opt-out is for all of them.
			if (isAnswer && replyId !== undefined) questionOf.add(replyId, webhookId);
			return true;
		},
		release: (webhookId: string): void => {
			const { replyId } = replyOf.get(webhookId) ?? {};
			if (replyId !== undefined && questionOf.get(replyId) === webhookId)
				questionOf.delete(replyId);
			replyOf.delete(webhookId);
		},
		/** Whether a question was closed already when this reply came. */
		wasClosedBefore: (webhookId: string, replyId?: string): boolean => {
			const closed = replyOf.get(webhookId);
			return closed !== undefined && (replyId === undefined || closed.replyId !== replyId);
		},
		/** Whether this reply was the answer to another question. */
		isTakenFrom: (webhookId: string, replyId?: string): boolean => {
			const taker = replyId === undefined ? undefined : questionOf.get(replyId);
			return taker !== undefined && taker !== webhookId;
		},
	};
};

export const answers = createAnswers();
