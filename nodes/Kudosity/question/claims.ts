import { lruMap } from '../lib/async';

const createMemory = <Value>() => lruMap<Value>(10_000);

/** Tells once a message has answered a question. */
function createTaking() {
	const taking = { isTaken: false, take: () => {}, taken: Promise.resolve(true) };
	taking.taken = new Promise((resolve) => {
		taking.take = () => {
			taking.isTaken = true;
			resolve(true);
		};
	});
	return taking;
}

const replyOf = createMemory<{ replyId?: string; isConfirmed?: true }>();
const questionOf = createMemory<string>();
const takings = createMemory<ReturnType<typeof createTaking>>();
function takingOf(replyId: string) {
	takings.add(replyId, createTaking());
	return takings.get(replyId)!;
}

/**
 * Which question got which reply. Every open question receives each reply, and n8n 1 lets two through that arrive
 * together, as the two events of a STOP do.
 */
export const answers = {
	/** Whether a message has answered a question, and when it does. */
	takingOf,
	/** n8n has let the execution continue with the answer. */
	confirm: (webhookId: string): void => {
		const { replyId } = replyOf.get(webhookId) ?? {};
		replyOf.set(webhookId, { replyId, isConfirmed: true });
		if (replyId !== undefined && questionOf.get(replyId) === webhookId) takingOf(replyId).take();
	},
	/** Whether n8n has this very reply, but has not let the execution continue yet, and may never do so. */
	isPending: (webhookId: string, replyId?: string): boolean => {
		const claimed = replyOf.get(webhookId);
		return claimed !== undefined && !claimed.isConfirmed && claimed.replyId === replyId;
	},
	/** @returns whether the question was still open */
	claim: (webhookId: string, reply: { replyId?: string; isAnswer: boolean }): boolean => {
		const { replyId, isAnswer } = reply;
		if (!replyOf.add(webhookId, { replyId })) return false;
		// An opt-out ends all questions.
		if (isAnswer && replyId !== undefined) questionOf.add(replyId, webhookId);
		return true;
	},
	release: (webhookId: string): void => {
		const { replyId } = replyOf.get(webhookId) ?? {};
		if (replyId !== undefined && questionOf.get(replyId) === webhookId) {
			questionOf.delete(replyId);
		}
		replyOf.delete(webhookId);
	},
	wasClosedBefore: (webhookId: string, replyId?: string): boolean => {
		const closed = replyOf.get(webhookId);
		return closed !== undefined && (replyId === undefined || closed.replyId !== replyId);
	},
	isTakenFrom: (webhookId: string, replyId?: string): boolean => {
		const taker = replyId === undefined ? undefined : questionOf.get(replyId);
		return taker !== undefined && taker !== webhookId;
	},
};
