import type { IWebhookFunctions } from 'n8n-workflow';
import { ApiError } from '../api/errors';
import { createNodeClient } from '../runtime/nodeClient';
import { senderIdOf } from './receiveWebhook';
import type { Registration } from './storedRegistration';

type Presence = 'there' | 'gone' | 'unknown';
type Asked = { presence: Promise<Presence>; untilMs: number };

const rememberedMs = 60_000;
const mostRemembered = 100;

/** Many events can come at once: the service is asked once a minute for each webhook. */
const asked = new Map<string, Asked>();

const ask = async (context: IWebhookFunctions, id: string): Promise<Presence> =>
	await createNodeClient(context)
		.webhooks.get(id)
		.then(
			() => 'there' as const,
			(error: unknown) =>
				error instanceof ApiError && error.fields.status === 404 ? 'gone' : 'unknown',
		);

const presenceOf = async (context: IWebhookFunctions, id: string): Promise<Presence> => {
	const known = asked.get(id);
	if (known && known.untilMs > Date.now()) return await known.presence;
	if (asked.size >= mostRemembered) asked.clear();
	const presence = ask(context, id);
	asked.set(id, { presence, untilMs: Date.now() + rememberedMs });
	return await presence;
};

/**
 * The id whose events this trigger takes. n8n keeps what all nodes of a workflow store as one text, and the
 * last writer wins: an execution that began before the trigger was registered anew brings the earlier id back,
 * and all events would seem to be another's. So where the two differ, the service says whether the stored one
 * still exists. None when it cannot say: the token alone decides then, as nothing may be lost.
 */
export const currentId = async (
	context: IWebhookFunctions,
	{ webhookId }: Registration,
	body: unknown,
): Promise<string | undefined> => {
	const senderId = senderIdOf(body);
	if (webhookId === undefined || senderId === undefined || senderId === webhookId) return webhookId;
	const presence = await presenceOf(context, webhookId);
	if (presence === 'there') return webhookId;
	if (presence === 'unknown') return undefined;
	context.logger.warn('The stored Kudosity webhook is gone; its successor is stored', {
		webhookId,
	});
	Object.assign(context.getWorkflowStaticData('node'), { webhookId: senderId });
	return senderId;
};
