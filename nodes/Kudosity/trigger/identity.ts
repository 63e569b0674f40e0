import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { fieldsOf, type Webhook } from '../api/endpoints/webhook';
import { createToken, digestOf, isExpectedToken, looksLikeToken } from '../events/tokens';
import { apiKeyOf } from '../runtime/credentials';
import { readRegistration } from './storedRegistration';

const parse = (url: string | undefined): URL | undefined =>
	url !== undefined && URL.canParse(url) ? new URL(url) : undefined;

/** A URL without its query: where in which n8n it leads. `undefined` for text that is no URL. */
export const addressOf = (url: string | undefined): string | undefined => {
	const parsed = parse(url);
	return parsed && `${parsed.origin}${parsed.pathname}`;
};

/**
 * The part of n8n's URL that names the node. It is the same when n8n registers and when it receives, for
 * test and production, and behind any proxy: `<webhook ID>/webhook`, without ID
 * `<workflow ID>/<node name>/webhook`.
 */
export const webhookPathOf = (url: string, webhookId: string | undefined): string =>
	(parse(url)?.pathname ?? url)
		.split('/')
		.slice(webhookId === undefined ? -3 : -2)
		.join('/');

/** The webhooks of a trigger that has two: its statuses, filtered by the service, and everything else. */
export type WebhookPart = 'rest' | 'status';

/** The address that is registered. Only the second webhook names its part. */
export const registeredUrl = (url: string, token: string, part: WebhookPart): string =>
	`${url}?token=${token}${part === 'rest' ? '' : `&part=${part}`}`;

export const tokenOf = (url: string | undefined): string | null | undefined =>
	parse(url)?.searchParams.get('token');

export const partOf = (url: string | undefined): WebhookPart =>
	parse(url)?.searchParams.get('part') === 'status' ? 'status' : 'rest';

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
export const isOthersAtOurUrl = (webhook: Webhook, identity: Identity): boolean =>
	hasAddress(webhook, identity) &&
	looksLikeToken(tokenOf(fieldsOf(webhook).url)) &&
	!isOwn(webhook, identity);

/**
 * The token that the credential's key makes for this trigger.
 *
 * @throws InputError when the credential has no usable key
 */
export const deriveToken = async (context: IHookFunctions | IWebhookFunctions): Promise<string> => {
	const key = await apiKeyOf(context);
	const { id: nodeId, webhookId } = context.getNode();
	const path = webhookPathOf(context.getNodeWebhookUrl('default') ?? '', webhookId);
	const workflowId = context.getWorkflow().id ?? '';
	return createToken(key, { workflowId, nodeId, path });
};

/**
 * What tells this trigger's webhooks from all others.
 *
 * @throws InputError when the credential has no usable key
 */
export const readIdentity = async (context: IHookFunctions): Promise<Identity> => {
	const { ids, tokenDigest } = readRegistration(context);
	const url = context.getNodeWebhookUrl('default') ?? '';
	return { url, token: await deriveToken(context), ids, tokenDigest };
};

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
