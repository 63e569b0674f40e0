import type { IWebhookFunctions } from 'n8n-workflow';
import { getWebhooks } from '../../api/endpoints/webhook';
import type { Service } from '../../api/service';
import { readAsk } from '../../events/askToken';
import { hasNewer, questionsAmong } from '../../events/openQuestions';
import type { ReceivedEvent } from '../../events/readEvent';
import { replyIdOf, replyIn } from '../../events/reply';
import { apiKeyOf } from '../credentials';
import { answers } from './claims';
import type { Parked } from './parked';

type Newest = { context: IWebhookFunctions; service: Service; nowMs: number };

/**
 * Whether a question is the newest that is open to this person: that one gets the reply. Mostly the event says
 * so itself, by the latest message that it quotes; otherwise the account's list of webhooks does. When it cannot
 * be read, the reply counts, unless another question of this process got it.
 */
export const isNewest = async (
	{ question: { reference, ask }, webhookId }: Parked,
	received: ReceivedEvent,
	{ context, service, nowMs }: Newest,
): Promise<boolean> => {
	const quoted = replyIn(received)?.last_message?.message_ref;
	if (quoted === reference) return true;
	const replyId = replyIdOf(received);
	const isAnswered = (other: string) => answers.wasClosedBefore(other, replyId);
	const look = async () => {
		const key = await apiKeyOf(context);
		const questions = questionsAmong(await service.call(getWebhooks), key);
		// Its webhook may be gone already, e.g. when somebody removed it.
		const own = questions.find((each) => each.webhookId === webhookId) ?? readAsk(key, ask);
		return !own || !hasNewer(questions, own, { nowMs, isAnswered, quoted });
	};
	return (await look().catch(() => true)) && !answers.isTakenFrom(webhookId, replyId);
};
