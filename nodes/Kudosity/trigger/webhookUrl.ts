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

/** Loopback, private, link-local and shared ranges: no service on the internet reaches them. */
const privateAddresses = [
	/^(0|10|127)\.\d+\.\d+\.\d+$/,
	/^169\.254\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
	/^\[(::|::1|::ffff:.*|f[cd].*|fe[89ab].*)\]$/,
];

/** Names that only a local network resolves, those without any dot (`n8n`, `localhost`) among them. */
const privateName = /(^[^.[]+|\.(local|localhost|internal|lan))\.?$/;

/** Whether the service can deliver to `url`: https, at a public host. */
export const isReachable = (url: string): boolean => {
	const { protocol, hostname } = parse(url) ?? { protocol: '', hostname: '' };
	return (
		protocol === 'https:' &&
		!privateName.test(hostname) &&
		!privateAddresses.some((range) => range.test(hostname))
	);
};
