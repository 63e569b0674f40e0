import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

interface PostOutcome {
	status: number | null;
	error?: string;
	body: string;
	durationMs: number;
}

interface EventPost {
	url: string;
	payload: string;
	/** Makes it a v1 callback: a signed GET without a body. */
	signature?: string | undefined;
	timeoutMs: number;
}

const MAX_RESPONSE_LENGTH = 4096;
const MAX_CONNECTIONS = 64;
function eventHeaders(payload: string) {
	const trace = randomBytes(16).toString('hex');
	const span = randomBytes(8).toString('hex');
	return {
		'User-Agent': 'Go-http-client/2.0',
		'Content-Type': 'application/json',
		'Content-Length': Buffer.byteLength(payload),
		'Accept-Encoding': 'gzip',
		'Sentry-Trace': `${trace}-${span}-0`,
		Traceparent: `00-${trace}-${span}-00`,
	};
}

/** Posts events over its own connections. */
export interface Poster {
	post(event: EventPost): Promise<PostOutcome>;
	/** Closes every connection, including those in use. */
	close(): void;
}

function settle(request: http.ClientRequest, { payload, signature, timeoutMs }: EventPost) {
	return new Promise<PostOutcome>((resolve) => {
		let startedAtMs = performance.now();
		const finish = (status: number | null, body: string, error?: string) => {
			const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
			resolve({ status, body, durationMs, ...(error && { error }) });
		};
		request.setTimeout(timeoutMs, () => request.destroy(new Error('timeout')));
		request.on('socket', () => (startedAtMs = performance.now()));
		request.on('error', (error) => finish(null, '', error.message || error.name));
		request.on('response', (response) => {
			let body = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => {
				if (body.length < MAX_RESPONSE_LENGTH) body += chunk;
			});
			response.on('end', () => finish(response.statusCode ?? null, body));
			response.on('error', (error) => finish(null, body, error.message));
		});
		request.end(signature === undefined ? payload : undefined);
	});
}

/**
 * Posts an event as the service does: with its headers, unsigned, not following redirects. Never rejects for an http
 * or https URL; no answer gives status null. The duration starts when it gets a connection.
 */
export function createPoster(): Poster {
	// A connection that is used again may be one that n8n is just closing.
	const httpAgent = new http.Agent({ maxSockets: MAX_CONNECTIONS });
	const httpsAgent = new https.Agent({ maxSockets: MAX_CONNECTIONS });
	const start = (url: string, options: http.RequestOptions) =>
		new URL(url).protocol === 'https:'
			? https.request(url, { ...options, agent: httpsAgent })
			: http.request(url, { ...options, agent: httpAgent });
	return {
		post(event) {
			const { url, payload, signature } = event;
			const options =
				signature === undefined
					? { method: 'POST', headers: eventHeaders(payload) }
					: { method: 'GET', headers: { 'x-transmitsms-signature': signature } };
			return settle(start(url, options), event);
		},
		close() {
			httpAgent.destroy();
			httpsAgent.destroy();
		},
	};
}
