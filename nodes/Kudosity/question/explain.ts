import type { IWebhookFunctions } from 'n8n-workflow';
import { sendNoticeBySms } from '../api/endpoints/sms';
import type { ReceivedEvent } from '../events/parse';
import { explainedName, isExplained, sentName } from '../events/questionName';
import { type Asked, replyIn } from '../events/replyRecord';
import { partiesOfReceived } from '../events/simplify';
import type { Asks } from '../operation';
import { epochMsOf } from '../lib/time';
import { createNodeService, patient } from '../runtime/services';
import { answers, explained } from './claims';
import { renameOpen } from './webhook';

/** A person who answers the SMS fallback of another channel gets the explanation by SMS. */
const bySms = ['SMS_INBOUND', 'MMS_INBOUND'];

/** Sends the explanation, unless it was or may have been sent before, or the question has been answered meanwhile. */
export const explainOnce = async (
	context: IWebhookFunctions,
	asked: Pick<Asked, 'question' | 'webhookId'>,
	{ received, notify }: { received: ReceivedEvent; notify: Asks<never>['notify'] },
): Promise<void> => {
	const { question, webhookId } = asked;
	const { unexpectedReplyMessage: text, contact, reference, sentAt = '' } = question;
	if (text === undefined || !explained.add(webhookId, true)) return;
	// Noted in the name, which outlives this process.
	const rename = (name: string) =>
		isExplained(name) ? name : explainedName(sentName(name, epochMsOf(sentAt)));
	const isFirst = await renameOpen(context, webhookId, rename).catch((error: unknown) => {
		// Nothing was sent, so that the next reply that does not match gets the explanation.
		explained.delete(webhookId);
		throw error;
	});
	if (!isFirst || answers.wasClosedBefore(webhookId)) return;
	const reply = replyIn(received);
	const sender = (reply && partiesOfReceived(reply).sender) ?? '';
	const isSms = bySms.some((type) => type === received.body.event_type);
	const service = createNodeService(context, patient);
	const message = { text, sender, recipient: contact, reference };
	await (isSms ? sendNoticeBySms : notify)(service, message);
};
