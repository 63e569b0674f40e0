import { fieldsOf, type Webhook } from '../api/schemas/webhook.schema';
import { digestOf, isExpectedToken, isTokenShaped } from '../events/token';
import { addressOf, tokenOf } from './webhookUrl';

/** What is known of the webhooks of one trigger. */
export type Identity = {
	/** Of n8n, without token. */
	url: string;
	token: string;
	/** The ids that the service gave our webhooks, as far as n8n has stored them. */
	ids: string[];
	/** Recognises the token that was registered last: it was made with an earlier key, perhaps. */
	tokenDigest?: string;
};

export const hasAddress = (webhook: Webhook, { url }: Pick<Identity, 'url'>): boolean => {
	const address = addressOf(url);
	return address !== undefined && addressOf(fieldsOf(webhook).url) === address;
};

/**
 * Whether a webhook of the account is this trigger's own: it has an id that is stored, or exactly our address
 * with our token. Nothing else is ever changed or deleted. The token alone would not do: another n8n with the
 * same workflow has the same one. The address alone would not either: n8n can give two triggers the same.
 */
export const isOwn = (webhook: Webhook, identity: Identity): boolean => {
	const { ids, token, tokenDigest } = identity;
	if (ids.includes(webhook.id)) return true;
	const digests = [digestOf(token), tokenDigest];
	return hasAddress(webhook, identity) && isExpectedToken(tokenOf(fieldsOf(webhook).url), digests);
};

/** Whether a webhook is that of another trigger to which n8n gave the same address. */
export const isRival = (webhook: Webhook, identity: Identity): boolean =>
	hasAddress(webhook, identity) &&
	isTokenShaped(tokenOf(fieldsOf(webhook).url)) &&
	!isOwn(webhook, identity);
