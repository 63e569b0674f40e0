import type { IWebhookFunctions } from 'n8n-workflow';
import {
	findOwner,
	isAnswerTo,
	mayTake,
	type Message,
	messageIn,
	type Reading,
} from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import { createUnstoppableClock, unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { createNodeService } from '../n8n/services';
import { readQuestions, readRecently } from './accountQuestions';
import { answers } from './claims';

export function readingOf(message: Message, apiKey: string): Reading {
	const hasEnded = (webhookId: string) => answers.wasClosedBefore(webhookId, message.id);
	return { message, apiKey, nowMs: Date.now(), hasEnded };
}

/** A question of another process notes within this time that it took a message. */
const maxNoteMs = 5_000;
const maxReadMs = 2_000;

/**
 * Whether the message answered a question with the same API key, in any process. Waits for it where one is open that
 * may take the message. Never fails: what nobody is known to have taken is not answered.
 */
export async function hasAnswered(
	context: IWebhookFunctions,
	received: ReceivedEvent,
): Promise<boolean> {
	const message = messageIn(received);
	if (!message) return false;
	const taking = answers.takingOf(message.id);
	if (taking.isTaken) return true;
	const look = async () => {
		const apiKey = await apiKeyOf(context);
		const questions = await readRecently(createNodeService(context), apiKey);
		const reading = readingOf(message, apiKey);
		return {
			isOpen: questions.some((each) => mayTake(each, reading)),
			isTaken: questions.some((each) => isAnswerTo(each, reading)),
		};
	};
	const watch = async () => {
		const { isOpen, isTaken } = await look();
		if (isTaken || !isOpen) return isTaken;
		await createUnstoppableClock().sleep(maxNoteMs);
		return (await look()).isTaken;
	};
	const seen = unlessSlow(watch(), maxNoteMs + maxReadMs).catch(() => false);
	return await Promise.race([taking.taken, seen]);
}

/**
 * Reads which opt-out words the newest open question to the person expects as its answer. There are none where nobody
 * can tell in time, because an opt-out that is lost is worse than an answer that counts as one.
 */
export async function expectedWords(
	context: IWebhookFunctions,
	received: ReceivedEvent,
): Promise<string[]> {
	const message = messageIn(received);
	if (!message) return [];
	const look = async () => {
		const apiKey = await apiKeyOf(context);
		const questions = await readQuestions(createNodeService(context), apiKey);
		return findOwner(questions, readingOf(message, apiKey))?.words ?? [];
	};
	return await unlessSlow(look(), maxReadMs).catch(() => []);
}
