import { InputError } from './errors';

const remedy = 'Use an https URL. Plain http is only allowed for localhost';

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

// This function is not imported from lib/text, because n8n loads this file at startup, so it should import little.
function parseUrl(value: string): URL | undefined {
	return URL.canParse(value) ? new URL(value) : undefined;
}

/** Whether a URL points to this machine, as the playground's does. */
export function isLoopbackUrl(url: string): boolean {
	return isLoopback(parseUrl(url)?.hostname ?? '');
}

/**
 * Returns the base URL without trailing slashes.
 *
 * @throws InputError - the URL is invalid, has more than a host and a path, or is neither https nor a loopback URL, so
 * it isn't safe for a key
 */
export function safeBaseUrl(value: unknown): string {
	const url = typeof value === 'string' ? parseUrl(value.trim()) : undefined;
	if (!url)
		throw new InputError("'Base URL' in the credential is not a valid URL", remedy, 'base_url');
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
		throw new InputError(
			"'Base URL' in the credential does not start with https://",
			remedy,
			'base_url',
		);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new InputError(
			"'Base URL' in the credential has more than a host and a path",
			'Remove the username, password, question mark or hash from the URL',
			'base_url',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

/** Matches line breaks, control characters and zero-width characters. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

const copyAgain = 'Copy the value again from API Settings in Kudosity';

/** The remedy for an empty secret. Kudosity generates the API key, but users choose the secret themselves. */
const enterSecret =
	'Enter the secret that is set under API Settings in Kudosity. If none is set, choose one and save it there. Changing an existing one breaks other apps';

/**
 * Returns the API key or secret. The errors say which of the two is wrong, because Kudosity's response doesn't.
 *
 * @throws InputError - the value is empty, contains an invisible character, or has spaces around it
 */
export function requireSecret(value: unknown, name: 'API Key' | 'API Secret'): string {
	if (typeof value !== 'string' || value === '') {
		const remedy = name === 'API Secret' ? enterSecret : copyAgain;
		throw new InputError(`'${name}' in the credential is empty`, remedy, 'credential');
	}
	if (invisible.test(value) || value.trim() !== value) {
		const problem = 'has an invisible character, or starts or ends with a space or line break';
		throw new InputError(
			`'${name}' in the credential ${problem}`,
			`${copyAgain}, with nothing before or after it`,
			'credential',
		);
	}
	return value;
}

type CredentialData = Record<string, unknown>;

/**
 * Builds HTTP Basic credentials for v1.
 *
 * @throws InputError - the key or secret is malformed, or the base URL isn't safe for them
 */
export function basicAuth({ apiKey, apiSecret, baseUrl }: CredentialData) {
	safeBaseUrl(baseUrl);
	const username = requireSecret(apiKey, 'API Key');
	return { auth: { username, password: requireSecret(apiSecret, 'API Secret') } };
}

/**
 * Builds the `x-api-key` header for v2.
 *
 * @throws InputError - the key is malformed, or the base URL isn't safe for it
 */
export function apiKeyHeader({ apiKey, baseUrl }: CredentialData) {
	safeBaseUrl(baseUrl);
	return { headers: { 'x-api-key': requireSecret(apiKey, 'API Key') } };
}

/** Loopback, private, link-local and carrier-grade NAT addresses, which the internet can't reach. */
const privateAddresses = [
	/^(0|10|127)\.\d+\.\d+\.\d+$/,
	/^169\.254\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
	/^\[(::|::1|::ffff:.*|f[cd].*|fe[89ab].*)\]$/,
];

/** Matches hostnames that only a local network resolves, including those without a dot (`n8n`, `localhost`). */
const privateName = /(^[^.[]+|\.(local|localhost|internal|lan))\.?$/;

export function isPublicUrl(url: string): boolean {
	const { protocol, hostname = '' } = parseUrl(url) ?? {};
	return (
		protocol === 'https:' &&
		!privateName.test(hostname) &&
		!privateAddresses.some((range) => range.test(hostname))
	);
}

/**
 * Whether the service at `baseUrl` can call `url`. A service on this machine, such as the playground, can also reach
 * local URLs.
 */
export function canReach(baseUrl: string, url: string): boolean {
	return isPublicUrl(url) || isLoopbackUrl(baseUrl);
}
