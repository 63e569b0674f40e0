import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { fieldsOf, type Webhook } from '../api/endpoints/webhook';
import { createToken, digestOf, isExpectedToken, looksLikeToken } from '../events/tokens';
import { parseUrl } from '../lib/text';
import { apiKeyOf } from '../n8n/credentials';
import { readRegistration } from './storedRegistration';

/** Origin and path of a URL, without its query. Undefined for anything that is not a URL. */
export const addressOf = (url: string | undefined): string | undefined => {
	const parsed = parseUrl(url);
	return parsed && `${parsed.origin}${parsed.pathname}`;
};

/**
 * The part of n8n's URL that names the node: `<webhook ID>/webhook`, or `<workflow ID>/<node name>/webhook` without a
 * webhook ID. The same for registering and receiving, for test and production, and behind any proxy.
 */
export const webhookPathOf = (url: string, webhookId: string | undefined): string =>
	(parseUrl(url)?.pathname ?? url)
		.split('/')
		.slice(webhookId === undefined ? -3 : -2)
		.join('/');

/** Which of a trigger's two webhooks: statuses filtered by the service, or everything else. */
export type WebhookPart = 'rest' | 'status';

/** The URL to register. Only the second webhook names its part. */
export const registeredUrl = (url: string, token: string, part: WebhookPart): string =>
	`${url}?token=${token}${part === 'rest' ? '' : `&part=${part}`}`;

export const tokenOf = (url: string | undefined): string | null | undefined =>
	parseUrl(url)?.searchParams.get('token');

export const partOf = (url: string | undefined): WebhookPart =>
	parseUrl(url)?.searchParams.get('part') === 'status' ? 'status' : 'rest';

/** What identifies the webhooks of one trigger. */
export type Identity = {
	/** The trigger's URL in n8n, without token. */
	url: string;
	token: string;
	/** IDs that the service gave our webhooks, as far as n8n has stored them. */
	ids: string[];
	/** Digest of the token registered last, possibly made with an earlier key. */
	tokenDigest?: string;
};

export const hasAddress = (webhook: Webhook, { url }: Pick<Identity, 'url'>): boolean => {
	const address = addressOf(url);
	return address !== undefined && addressOf(fieldsOf(webhook).url) === address;
};

/**
 * Whether a webhook is this trigger's own: its ID is stored, or it has exactly our address and token. Nothing else is
 * ever changed or deleted. Another n8n with the same workflow has the same token, and triggers can share an address.
 */
export const isOwn = (webhook: Webhook, identity: Identity): boolean => {
	const { ids, token, tokenDigest } = identity;
	if (ids.includes(webhook.id)) return true;
	const digests = [digestOf(token), tokenDigest];
	return hasAddress(webhook, identity) && isExpectedToken(tokenOf(fieldsOf(webhook).url), digests);
};

/** Whether a webhook belongs to another trigger that n8n gave the same address. */
export const isOthersAtOurUrl = (webhook: Webhook, identity: Identity): boolean =>
	hasAddress(webhook, identity) &&
	looksLikeToken(tokenOf(fieldsOf(webhook).url)) &&
	!isOwn(webhook, identity);

/** Derived from the credential's API key. @throws InputError when the credential has no usable key */
export const deriveToken = async (context: IHookFunctions | IWebhookFunctions): Promise<string> => {
	const key = await apiKeyOf(context);
	const { id: nodeId, webhookId } = context.getNode();
	const path = webhookPathOf(context.getNodeWebhookUrl('default') ?? '', webhookId);
	return createToken(key, { workflowId: context.getWorkflow().id ?? '', nodeId, path });
};

/** @throws InputError when the credential has no usable key */
export const readIdentity = async (context: IHookFunctions): Promise<Identity> => {
	const { ids, tokenDigest } = readRegistration(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	return { url, token: await deriveToken(context), ids, tokenDigest };
};

/**
 * Warns about webhooks registered with an earlier API key that the current key's account does not have: they were
 * deleted, or are in another account, out of reach.
 */
export const warnOfOtherAccount = (
	context: IHookFunctions,
	existing: Webhook[],
	{ ids, token, tokenDigest }: Identity,
): void => {
	const missing = ids.filter((id) => !existing.some((webhook) => webhook.id === id));
	if (missing.length === 0 || tokenDigest === undefined || tokenDigest === digestOf(token)) return;
	context.logger.warn(
		`This Kudosity account does not have the webhook ${missing.join(', ')} of this trigger, which was registered with another API key. If that key is for another account, delete the webhook there, or it keeps sending events`,
		{ webhookIds: missing },
	);
};
