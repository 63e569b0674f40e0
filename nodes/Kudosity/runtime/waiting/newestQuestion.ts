import type { IWebhookFunctions } from 'n8n-workflow';
import { getWebhooks } from '../../api/endpoints/webhook';
import type { Service } from '../../api/service';
import { readAsk } from '../../events/askToken';
import { newestAfter, questionsAmong } from '../../events/openQuestions';
import { isFinal, judgeAsOlder, type Verdict } from '../../events/question';
import type { ReceivedEvent } from '../../events/readEvent';
import { replyIdOf, replyIn } from '../../events/reply';
import { apiKeyOf } from '../credentials';
import { answers } from './claims';
import type { Parked } from './parked';

type Newest = { context: IWebhookFunctions; service: Service; nowMs: number };

type Judged = { verdict: Verdict; received: ReceivedEvent };

/**
 * What a reply is to a question beside others that are open to this person: the newest gets it. Mostly the event says
 * so itself, by the latest message that it quotes; otherwise the account's list of webhooks does. When it cannot
 * be read, the reply counts, unless another question of this process got it.
 */
export const judgeAmongOpen = async (
	{ question: { reference, ask }, webhookId }: Parked,
	{ verdict, received }: Judged,
	{ context, service, nowMs }: Newest,
): Promise<Verdict> => {
	const quoted = replyIn(received)?.last_message?.message_ref;
	if (isFinal(verdict) || quoted === reference) return verdict;
	const replyId = replyIdOf(received);
	const isAnswered = (other: string) => answers.wasClosedBefore(other, replyId);
	const look = async () => {
		const key = await apiKeyOf(context);
		const questions = questionsAmong(await service.call(getWebhooks), key);
		// Its webhook may be gone already, e.g. when somebody removed it.
		const own = questions.find((each) => each.webhookId === webhookId) ?? readAsk(key, ask);
		return own && newestAfter(questions, own, { nowMs, isAnswered, quoted });
	};
	const newest = await look().catch(() => undefined);
	if (answers.isTakenFrom(webhookId, replyId)) return { kind: 'other' };
	return newest ? judgeAsOlder(verdict, newest.words) : verdict;
};
