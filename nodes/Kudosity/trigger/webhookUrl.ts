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
