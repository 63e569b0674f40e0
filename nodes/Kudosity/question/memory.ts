import type { Message, Reading } from '../events/openQuestions';
import { lruMap } from '../lib/async';

/**
 * How a question ended, as seen by this process. This is needed because the question's webhook in the Kudosity account
 * only shows the ending about a second later (see `closeQuestion`), and n8n 1 lets two replies through if they arrive
 * together, e.g. the two events of a STOP.
 */
type Ending = {
	/** ID of the message that ended the question. Undefined for an opt-out by link. */
	messageId?: string;
	isAnswer: boolean;
	/** Whether n8n has continued the execution with the message, so it can't be lost anymore. */
	isStored: boolean;
};

/** Keyed by the ID of the question's webhook. */
const endings = lruMap<Ending>(1_000);

/** Callbacks of waiting triggers. Each one is called with the ID of every message that has answered a question. */
const listeners = new Set<(messageId: string) => void>();

/**
 * Records how a question ended. Returns false if the question had already ended, or if the message has already answered
 * another question.
 */
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

/** Returns the ending of the question that the message answered, if any. */
export function findAnswer(messageId: string | undefined): Ending | undefined {
	if (messageId === undefined) return undefined;
	return endings.values().find((each) => each.isAnswer && each.messageId === messageId);
}

/** Whether the message answered a question other than the one with this webhook. */
export function isTakenByAnother(webhookId: string, messageId: string): boolean {
	return findAnswer(messageId) !== undefined && endings.get(webhookId)?.messageId !== messageId;
}

/**
 * Returns a promise that resolves once the message answers a question. A trigger needs this if it receives the message
 * before the question does. `stop` ends the watch.
 */
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
