import type { Message, Reading } from '../events/openQuestions';
import { lruMap } from '../lib/async';

/**
 * How a question ended, as this process saw it. The account tells other processes about a second later, and n8n 1 lets
 * two replies through that arrive together, as the two events of a STOP do.
 */
type Ending = {
	/** Of the message that ended it. An opt-out by a link has none. */
	messageId?: string;
	isAnswer: boolean;
	/** Whether n8n has continued with the message, so that it can no longer be lost. */
	isStored: boolean;
};

/** By the ID of the question's webhook. */
const endings = lruMap<Ending>(1_000);

/** Of triggers that wait, each called with the ID of a message that answered a question. */
const listeners = new Set<(messageId: string) => void>();

/** @returns whether the question was open, and no other question has the message as its answer */
export function claim(webhookId: string, ending: Omit<Ending, 'isStored'>): boolean {
	if (ending.isAnswer && findAnswer(ending.messageId)) return false;
	return endings.add(webhookId, { ...ending, isStored: false });
}

export function confirm(webhookId: string): void {
	const ending = endings.get(webhookId);
	if (!ending) return;
	ending.isStored = true;
	const { messageId, isAnswer } = ending;
	if (!isAnswer || messageId === undefined) return;
	for (const listener of listeners) listener(messageId);
}

export function release(webhookId: string): void {
	endings.delete(webhookId);
}

export function endingOf(webhookId: string): Ending | undefined {
	return endings.get(webhookId);
}

/** Finds how the question ended that has the message as its answer. */
export function findAnswer(messageId: string | undefined): Ending | undefined {
	if (messageId === undefined) return undefined;
	return endings.values().find((each) => each.isAnswer && each.messageId === messageId);
}

/** Whether another question has the message as its answer. */
export function isTakenByAnother(webhookId: string, messageId: string): boolean {
	return findAnswer(messageId) !== undefined && endings.get(webhookId)?.messageId !== messageId;
}

/** For a trigger that receives the message before the question does. `stop` ends the watch. */
export function watchAnswer(messageId: string): { answered: Promise<true>; stop: () => void } {
	let stop = () => {};
	const answered = new Promise<true>((resolve) => {
		const listener = (id: string) => void (id === messageId && resolve(true));
		listeners.add(listener);
		stop = () => void listeners.delete(listener);
	});
	return { answered, stop };
}

export function readingOf(message: Message, apiKey: string): Reading {
	const hasEnded = (webhookId: string) => {
		const ending = endings.get(webhookId);
		return ending !== undefined && ending.messageId !== message.id;
	};
	return { message, apiKey, nowMs: Date.now(), hasEnded };
}
