import type { IHookFunctions } from 'n8n-workflow';
import type { Webhook } from '../api/schemas/webhook.schema';
import { digestOf } from '../events/token';
import type { Identity } from './ownership';

/**
 * Says what may be left where this trigger cannot reach it: webhooks that were registered with another API key
 * and that the account of today's key does not have. They were deleted there, or it is another account.
 */
export const warnOfOtherAccount = (
	context: IHookFunctions,
	existing: Webhook[],
	{ ids, token, tokenDigest }: Identity,
): void => {
	const missing = ids.filter((id) => !existing.some((webhook) => webhook.id === id));
	if (missing.length === 0 || tokenDigest === undefined || tokenDigest === digestOf(token)) return;
	context.logger.warn(
		`The Kudosity account of this credential does not have the webhook ${missing.join(', ')} of this trigger, which was registered with another API key. If that key belongs to another account, delete the webhook there: it goes on delivering`,
		{ webhookIds: missing },
	);
};
