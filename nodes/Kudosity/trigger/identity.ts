import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { fieldsOf, type Webhook } from '../api/endpoints/webhook';
import { createToken, digestOf, isExpectedToken, looksLikeToken } from '../events/tokens';
import { parseUrl } from '../lib/text';
import { apiKeyOf } from '../n8n/credentials';
import { readRegistration } from './storedRegistration';

/** Returns the origin and path of a URL, without the query. Returns undefined if the text isn't a URL. */
function addressOf(url: string | undefined): string | undefined {
	const parsed = parseUrl(url);
	return parsed && `${parsed.origin}${parsed.pathname}`;
}

/**
 * Returns the part of n8n's URL that identifies the node: `<webhook ID>/webhook`. For a node without a webhook ID, it
 * is `<workflow ID>/<node name>/webhook`. It is the same at registration and at delivery, in test and production, and
 * behind any proxy.
 */
function webhookPathOf(url: string, webhookId: string | undefined): string {
	return (parseUrl(url)?.pathname ?? url)
		.split('/')
		.slice(webhookId === undefined ? -3 : -2)
		.join('/');
}

/** Returns the URL to register, which includes the token. */
export function registeredUrl({ url, token }: Pick<Identity, 'url' | 'token'>): string {
	return `${url}?token=${token}`;
}

const tokenIn = (webhook: Webhook): string | null | undefined =>
	parseUrl(fieldsOf(webhook).url)?.searchParams.get('token');

/** The data by which a trigger recognizes its own webhooks. */
export type Identity = {
	/** The trigger's URL in n8n, without the token. */
	url: string;
	token: string;
	/**
	 * The Kudosity IDs of this trigger's webhooks, as stored in n8n. On a copy of n8n's database, these are the webhooks
	 * of the original.
	 */
	ids: string[];
	/** Digest of the most recently registered token, which may have been derived from an earlier API key. */
	tokenDigest?: string;
};

/** Whether a webhook calls this trigger at its present address in this n8n. */
export function hasAddress(webhook: Webhook, { url }: Pick<Identity, 'url'>): boolean {
	const address = addressOf(url);
	return address !== undefined && addressOf(fieldsOf(webhook).url) === address;
}

/**
 * Whether a webhook is this trigger's own: either n8n has stored its ID, or both its address and its token are ours.
 * The trigger never changes or deletes any other webhook. Both the address and the token are checked, because another
 * n8n with the same workflow has the same token, and n8n 1 lets two triggers share an address. A webhook with a stored
 * ID can have another address, because n8n has moved or runs on a copy of the database. Only publishing changes it.
 */
export function isOwn(webhook: Webhook, identity: Identity): boolean {
	const { ids, token, tokenDigest } = identity;
	if (ids.includes(webhook.id)) return true;
	const digests = [digestOf(token), tokenDigest];
	return hasAddress(webhook, identity) && isExpectedToken(tokenIn(webhook), digests);
}

/** Whether a webhook belongs to another trigger to which n8n gave the same address. */
export function isOthersAtOurUrl(webhook: Webhook, identity: Identity): boolean {
	return (
		hasAddress(webhook, identity) && looksLikeToken(tokenIn(webhook)) && !isOwn(webhook, identity)
	);
}

/**
 * Derives the token in this trigger's webhook URL from the credential's API key.
 *
 * @throws InputError - the credential has no usable key
 */
export async function deriveToken(context: IHookFunctions | IWebhookFunctions): Promise<string> {
	const key = await apiKeyOf(context);
	const { id: nodeId, webhookId } = context.getNode();
	const path = webhookPathOf(context.getNodeWebhookUrl('default') ?? '', webhookId);
	return createToken(key, { workflowId: context.getWorkflow().id ?? '', nodeId, path });
}

/**
 * Reads the data that identifies the trigger's own webhooks.
 *
 * @throws InputError - the credential has no usable key
 */
export async function readIdentity(context: IHookFunctions): Promise<Identity> {
	const { ids, tokenDigest } = readRegistration(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	return { url, token: await deriveToken(context), ids, tokenDigest };
}

/**
 * Warns if the current API key's account lacks webhooks that were registered with an earlier key. Either these webhooks
 * were deleted, or they are in another account, where the current key can't reach them.
 */
export function warnOfOtherAccount(
	context: IHookFunctions,
	existing: Webhook[],
	{ ids, token, tokenDigest }: Identity,
): void {
	const missing = ids.filter((id) => !existing.some((webhook) => webhook.id === id));
	if (missing.length === 0 || tokenDigest === undefined || tokenDigest === digestOf(token)) return;
	context.logger.warn(
		`This trigger's webhook ${missing.join(', ')}, registered with another API key, is not in this Kudosity account. If that key belongs to another account, delete the webhook there, or it will keep sending events`,
		{ webhookIds: missing },
	);
}
