import { InputError } from './errors';

const remedy =
	"Use the service's own address (https), or http only for a service on this machine (localhost)";

const isLoopback = (hostname: string): boolean =>
	hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

const parseUrl = (value: string): URL | undefined =>
	URL.canParse(value) ? new URL(value) : undefined;

/** Whether `url` names this very machine, as the playground does. */
export const isLoopbackUrl = (url: string): boolean => isLoopback(parseUrl(url)?.hostname ?? '');

/**
 * The base URL of a credential without its final slash, once it is safe to send a key there:
 * https to any host, http to a loopback host only.
 *
 * @throws InputError otherwise
 */
export const safeBaseUrl = (value: unknown): string => {
	const url = typeof value === 'string' ? parseUrl(value.trim()) : undefined;
	if (!url) throw new InputError("'Base URL' of the credential is not a web address", remedy);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
		throw new InputError("'Base URL' of the credential is not an https address", remedy);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new InputError(
			"'Base URL' of the credential has more than a host and a path",
			'Remove user name, password, question mark and hash from it',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
};

/** Line breaks, control characters and what has no width, such as a zero-width space. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

const copyAgain = 'Copy it from the API Settings of your Kudosity account';

/** The service makes the key, but the secret is its user's own. */
const whereFrom: Record<string, string> = {
	'API Secret':
		'Enter the secret that is saved in the API Settings of your Kudosity account. If there is none, make one up and save it there as well',
};

/**
 * @throws InputError when a part of the credential is empty, or holds what was copied along with it: the
 * service would only say that the authentication failed, not which part is wrong
 */
export const requireSecret = (value: unknown, name: string): string => {
	if (typeof value !== 'string' || value === '') {
		throw new InputError(`'${name}' of the credential is empty`, whereFrom[name] ?? copyAgain);
	}
	if (invisible.test(value) || value.trim() !== value) {
		const problem = 'has a line break, an invisible character, or a space around it';
		throw new InputError(`'${name}' of the credential ${problem}`, `${copyAgain} without it`);
	}
	return value;
};

type CredentialData = Record<string, unknown>;

/**
 * What shows v1 who asks: HTTP Basic, the key as user name and the secret as password.
 *
 * @throws InputError rather than let them go to an unsafe address
 */
export const basicAuth = ({ apiKey, apiSecret, baseUrl }: CredentialData) => {
	safeBaseUrl(baseUrl);
	const username = requireSecret(apiKey, 'API Key');
	return { auth: { username, password: requireSecret(apiSecret, 'API Secret') } };
};

/**
 * What shows v2 who asks: the key as header `x-api-key`.
 *
 * @throws InputError rather than let it go to an unsafe address
 */
export const apiKeyHeader = ({ apiKey, baseUrl }: CredentialData) => {
	safeBaseUrl(baseUrl);
	return { headers: { 'x-api-key': requireSecret(apiKey, 'API Key') } };
};

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

/** Whether everybody on the internet can deliver to `url`: https, at a public host. */
export const isPublicUrl = (url: string): boolean => {
	if (!URL.canParse(url)) return false;
	const { protocol, hostname } = new URL(url);
	return (
		protocol === 'https:' &&
		!privateName.test(hostname) &&
		!privateAddresses.some((range) => range.test(hostname))
	);
};

/** Whether the service at `baseUrl` can: one on this machine, as in the playground, reaches what we reach. */
export const canReach = (baseUrl: string, url: string): boolean =>
	isPublicUrl(url) || isLoopbackUrl(baseUrl);
