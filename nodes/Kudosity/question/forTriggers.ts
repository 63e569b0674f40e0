import type { IWebhookFunctions } from 'n8n-workflow';
import { findOwner, isAnswerTo, mayTake, type Message, messageIn } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import { createUnstoppableClock, unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { createNodeService } from '../n8n/services';
import { readRecently } from './accountQuestions';
import { findAnswer, readingOf, watchAnswer } from './memory';
import { questionsFor } from './questionsFor';

const clock = createUnstoppableClock();

/** How long another process may take to close the webhook of an answered question. */
const maxCloseMs = 5_000;
const maxReadMs = 2_000;

/**
 * Whether the message answered a question that was asked with the same API key, in any process. If an open question may
 * still claim the message, this waits a few seconds for the result. Never throws: returns false if the result can't be
 * determined.
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

/**
 * Whether a question has claimed the message as its answer, according to the webhooks in the Kudosity account. If an
 * open question may still claim the message, checks again after a pause.
 */
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
 * Finds the question that the message is for, and returns the opt-out words that this question expects as answers.
 * Returns an empty array if there is no such question, or if it can't be found in time, because a lost opt-out is worse
 * than an answer that counts as an opt-out.
 */
export async function expectedWords(
	context: IWebhookFunctions,
	received: ReceivedEvent,
): Promise<string[]> {
	const message = messageIn(received);
	if (!message) return [];
	const readWords = async () => {
		const { questions, reading } = await questionsFor(context, message);
		return findOwner(questions, reading)?.words ?? [];
	};
	return await unlessSlow(readWords(), maxReadMs).catch(() => []);
}
