import type { IWebhookFunctions } from 'n8n-workflow';
import { findOwner, isAnswerTo, mayTake, type Message, messageIn } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import { createUnstoppableClock, unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { createNodeService } from '../n8n/services';
import { readQuestions, readRecently } from './accountQuestions';
import { findAnswer, readingOf, watchAnswer } from './memory';

const clock = createUnstoppableClock();

/** A question of another process has closed its webhook within this time. */
const maxCloseMs = 5_000;
const maxReadMs = 2_000;

/**
 * Whether the message answered a question with the same API key, in any process. Waits for that if a question is open
 * that may take the message. Never fails: if nobody can tell, the message answered none.
 */
export async function wasUsedAsAnswer(
	context: IWebhookFunctions,
	received: ReceivedEvent,
): Promise<boolean> {
	const message = messageIn(received);
	if (!message) return false;
	if (findAnswer(message.id)?.isStored) return true;
	const { answered, stop } = watchAnswer(message.id);
	const inAccount = unlessSlow(watchAccount(context, message), maxCloseMs + maxReadMs);
	return await Promise.race([answered, inAccount])
		.catch(() => false)
		.finally(stop);
}

/** Watches whether a question of another process takes the message. */
async function watchAccount(context: IWebhookFunctions, message: Message): Promise<boolean> {
	const first = await look(context, message);
	if (first.isTaken || !first.isOpen) return first.isTaken;
	await clock.sleep(maxCloseMs);
	return (await look(context, message)).isTaken;
}

async function look(context: IWebhookFunctions, message: Message) {
	const apiKey = await apiKeyOf(context);
	const questions = await readRecently(createNodeService(context), apiKey);
	const reading = readingOf(message, apiKey);
	return {
		isOpen: questions.some((each) => mayTake(each, reading)),
		isTaken: questions.some((each) => isAnswerTo(each, reading)),
	};
}

/**
 * Reads which opt-out words the question that a message is for expects as its answer. There are none if nobody can tell
 * in time, because an opt-out that is lost is worse than an answer that counts as one.
 */
export async function expectedWords(
	context: IWebhookFunctions,
	received: ReceivedEvent,
): Promise<string[]> {
	const message = messageIn(received);
	if (!message) return [];
	const readWords = async () => {
		const apiKey = await apiKeyOf(context);
		const questions = await readQuestions(createNodeService(context), apiKey);
		return findOwner(questions, readingOf(message, apiKey))?.words ?? [];
	};
	return await unlessSlow(readWords(), maxReadMs).catch(() => []);
}
