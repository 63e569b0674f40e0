import type { IWebhookFunctions } from 'n8n-workflow';
import { getWebhooks } from '../api/endpoints/webhook';
import { mayTake, newestFor, questionsAmong, type Reply } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import { replyIdOf, replyIn } from '../events/replyRecord';
import { partiesOfReceived } from '../events/simplify';
import { epochMsOf } from '../lib/time';
import { createUnstoppableClock, unlessSlow } from '../n8n/clock';
import { apiKeyOf } from '../n8n/credentials';
import { createNodeService } from '../n8n/services';
import { answers, withSentTime } from './claims';
import { readQuestions } from './rivals';

/** Undefined for what is no message. */
export function asSeen(
	received: ReceivedEvent,
	{ apiKey, nowMs }: Pick<Reply, 'apiKey' | 'nowMs'>,
): Reply | undefined {
	const message = replyIn(received);
	if (!message) return undefined;
	return {
		apiKey,
		nowMs,
		id: message.id,
		isAnswered: (webhookId) => answers.wasClosedBefore(webhookId, message.id),
		...partiesOfReceived(message),
		eventType: received.body.event_type,
		quoted: message.last_message?.message_ref,
		writtenMs: epochMsOf(received.event?.timestamp ?? ''),
	};
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
	const id = replyIdOf(received);
	if (id === undefined) return false;
	const taking = answers.takingOf(id);
	if (taking.isTaken) return true;
	const look = async () => {
		const apiKey = await apiKeyOf(context);
		const questions = await readQuestions(createNodeService(context), apiKey);
		const reply = asSeen(received, { apiKey, nowMs: Date.now() });
		// Whether its message was out may have been noted since.
		const takers = questions.filter(
			(each) => reply && mayTake({ ...each, sentMs: undefined }, reply),
		);
		return {
			isOpen: takers.some(({ ending }) => !ending),
			isTaken: takers.some(({ ending }) => ending?.isAnswer),
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
	const look = async () => {
		const apiKey = await apiKeyOf(context);
		const webhooks = await createNodeService(context).call(getWebhooks);
		const questions = questionsAmong(webhooks, apiKey).map(withSentTime);
		const reply = asSeen(received, { apiKey, nowMs: Date.now() });
		return (reply && newestFor(questions, reply)?.words) ?? [];
	};
	return await unlessSlow(look(), maxReadMs).catch(() => []);
}
