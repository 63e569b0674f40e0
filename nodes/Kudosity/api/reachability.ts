import { isLoopbackUrl } from './credential';

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
