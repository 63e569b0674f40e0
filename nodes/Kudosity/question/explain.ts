import { sendNoticeBySms } from '../api/endpoints/sms';
import { changedSettings, fieldsOf, getWebhook, replaceWebhook } from '../api/endpoints/webhook';
import type { Service } from '../api/service';
import type { ReceivedEvent } from '../events/parse';
import { type Asked, replyIn } from '../events/replyRecord';
import { partiesOfReceived } from '../events/simplify';
import type { Asks } from '../operation';
import { answers, explained } from './claims';
import { explainedName, isExplained } from './webhook';

/** Says in the webhook's name, which outlives this process, that the explanation goes out. Whether it is the first. */
const markExplained = async (service: Service, webhookId: string): Promise<boolean> => {
	const webhook = await service.call(getWebhook, { id: webhookId });
	const { name = '' } = fieldsOf(webhook);
	if (isExplained(name)) return false;
	const changes = { name: explainedName(name), eventTypes: [], filters: {} };
	await service.call(replaceWebhook, { id: webhookId, ...changedSettings(webhook, changes) });
	return true;
};

/** Who answers an SMS that went out in place of another message gets SMS, where they wrote to. */
const bySms = ['SMS_INBOUND', 'MMS_INBOUND'];

/** Sends the explanation, unless it was sent before, or may have been, or the answer has come meanwhile. */
export const explainOnce = async (
	service: Service,
	{ question, webhookId }: Pick<Asked, 'question' | 'webhookId'>,
	{ received, say }: { received: ReceivedEvent; say: Asks<never>['say'] },
): Promise<void> => {
	const { explanation, contact, reference } = question;
	if (explanation === undefined || !explained.add(webhookId, true)) return;
	const isFirst = await markExplained(service, webhookId).catch((error: unknown) => {
		// Nothing was sent: the next reply that does not fit is explained.
		explained.delete(webhookId);
		throw error;
	});
	if (!isFirst || answers.wasClosedBefore(webhookId)) return;
	const reply = replyIn(received);
	const sender = (reply && partiesOfReceived(reply).sender) ?? '';
	const isSms = bySms.some((type) => type === received.body.event_type);
	await (isSms ? sendNoticeBySms : say)(service, {
		text: explanation,
		sender,
		recipient: contact,
		reference,
	});
};
