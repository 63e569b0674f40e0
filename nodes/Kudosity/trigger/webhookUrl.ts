const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);

/**
 * What makes a URL ours: all of it but its query. A token made with an earlier API key differs there, and
 * the webhook is ours all the same. `undefined` for text that is no URL.
 */
export const identityOf = (url: string | undefined): string | undefined => {
	const parsed = url === undefined ? undefined : parse(url);
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

export const withToken = (url: string, token: string): string => `${url}?token=${token}`;
