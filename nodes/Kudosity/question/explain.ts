import { sendNoticeBySms } from '../api/endpoints/sms';
import { changedSettings, fieldsOf, getWebhook, replaceWebhook } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import type { ReceivedEvent } from '../events/parse';
import { endingIn, explainedName, isExplained, sentName } from '../events/questionName';
import { type Asked, replyIn } from '../events/replyRecord';
import { partiesOfReceived } from '../events/simplify';
import type { Asks } from '../operation';
import { epochMsOf } from '../lib/time';
import { answers, explained, renaming } from './claims';

/** Notes it in the webhook's name, which outlives this process. @returns whether it was not there yet */
const markExplained = async (
	service: Service,
	{ question: { sentAt = '' }, webhookId }: Pick<Asked, 'question' | 'webhookId'>,
): Promise<boolean> => {
	const webhook = await service.call(getWebhook, { id: webhookId });
	const { name = '' } = fieldsOf(webhook);
	if (isExplained(name) || endingIn(name)) return false;
	const changes = {
		name: explainedName(sentName(name, epochMsOf(sentAt))),
		eventTypes: [],
		filters: {},
	};
	await service.call(replaceWebhook, { id: webhookId, ...changedSettings(webhook, changes) });
	return true;
};

/** A person who answers the SMS fallback of another channel gets the explanation by SMS. */
const bySms = ['SMS_INBOUND', 'MMS_INBOUND'];

/** Sends the explanation, unless it was or may have been sent before, or the question has been answered meanwhile. */
export const explainOnce = async (
	service: Service,
	asked: Pick<Asked, 'question' | 'webhookId'>,
	{ received, notify }: { received: ReceivedEvent; notify: Asks<never>['notify'] },
): Promise<void> => {
	const { question, webhookId } = asked;
	const { unexpectedReplyMessage: text, contact, reference } = question;
	if (text === undefined || !explained.add(webhookId, true)) return;
	const isFirst = await renaming
		.run(webhookId, async () => await markExplained(service, asked))
		.catch((error: unknown) => {
			// Nothing was sent, so that the next reply that does not match gets the explanation.
			explained.delete(webhookId);
			throw error;
		});
	if (!isFirst || answers.wasClosedBefore(webhookId)) return;
	const reply = replyIn(received);
	const sender = (reply && partiesOfReceived(reply).sender) ?? '';
	const isSms = bySms.some((type) => type === received.body.event_type);
	await (isSms ? sendNoticeBySms : notify)(service, {
		text,
		sender,
		recipient: contact,
		reference,
	});
};
