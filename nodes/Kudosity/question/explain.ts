import type { IWebhookFunctions } from 'n8n-workflow';
import { sendNoticeBySms } from '../api/endpoints/sms';
import { outcomeOf } from '../api/errors';
import { mayTake, type Message, messageIn } from '../events/openQuestions';
import type { ReceivedEvent } from '../events/parse';
import type { Asked } from '../events/replyRecord';
import { findOperation, type Resource } from '../fields/operation';
import { lruMap } from '../lib/async';
import { createNodeService, patient } from '../n8n/services';
import { endingOf } from './memory';
import { questionsFor } from './questionsFor';

/**
 * The questions whose Unexpected Reply Message was sent, keyed by the ID of the question's webhook. They are only kept
 * in memory, so after a restart of n8n, a person may get the message a second time.
 */
const explained = lruMap<true>(1_000);

/**
 * The types of replies to which the Unexpected Reply Message is sent by SMS, even if the question was sent on another
 * channel: the person has then replied to the question's fallback SMS.
 */
const bySms = ['SMS_INBOUND', 'MMS_INBOUND'];

/**
 * Whether the reply may be for another open question. An explanation would then ask for an answer to this question, and
 * the person could approve something that they did not mean.
 */
async function mayBeForAnother(
	context: IWebhookFunctions,
	webhookId: string,
	message: Message,
): Promise<boolean> {
	const { questions, reading } = await questionsFor(context, message);
	return questions.some((each) => each.webhookId !== webhookId && mayTake(each, reading));
}

/**
 * Sends the Unexpected Reply Message, once per question, unless the reply may be for another question. If the other
 * questions can't be read, nothing is sent.
 */
export async function explainOnce(
	context: IWebhookFunctions,
	{ question, webhookId }: Asked,
	{ received, resources }: { received: ReceivedEvent; resources: Resource[] },
): Promise<void> {
	const { unexpectedReplyMessage: text, contact, reference } = question;
	const message = messageIn(received);
	const notify = bySms.some((type) => type === message?.eventType)
		? sendNoticeBySms
		: notifierOf(context, resources);
	if (text === undefined || !message || !notify || endingOf(webhookId)) return;
	if (explained.get(webhookId)) return;
	if (await mayBeForAnother(context, webhookId, message)) return;
	if (!explained.add(webhookId, true)) return;
	const notice = { text, sender: message.sender, recipient: contact, reference };
	await notify(createNodeService(context, patient), notice).catch((error: unknown) => {
		// The service rejected the message, so the next unexpected reply triggers another attempt.
		if (outcomeOf(error) === 'refused') explained.delete(webhookId);
	});
}

function notifierOf(context: IWebhookFunctions, resources: Resource[]) {
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', undefined),
		operation: context.getNodeParameter('operation', undefined),
	});
	return found?.operation.asks?.notify;
}
