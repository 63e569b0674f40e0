import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

export interface PostOutcome {
	status: number | null;
	error?: string;
	body: string;
	durationMs: number;
}

export interface EventPost {
	url: string;
	payload: string;
	timeoutMs: number;
}

const KEPT_RESPONSE_BYTES = 4096;
const agents = {
	'http:': new http.Agent({ keepAlive: true, maxSockets: 64 }),
	'https:': new https.Agent({ keepAlive: true, maxSockets: 64 }),
};

/** Lets go of the sockets that are kept open between deliveries. */
export const closeIdleConnections = () => Object.values(agents).forEach((agent) => agent.destroy());

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

function requestFor(url: string, headers: http.OutgoingHttpHeaders): http.ClientRequest {
	const { protocol } = new URL(url);
	const options = { method: 'POST', headers };
	return protocol === 'https:'
		? https.request(url, { ...options, agent: agents['https:'] })
		: http.request(url, { ...options, agent: agents['http:'] });
}

/**
 * Posts one event the way the service does: its header set, unsigned, redirects not followed.
 * Never rejects: no answer is an outcome with status null. The time counts from getting a socket.
 */
export function postEvent({ url, payload, timeoutMs }: EventPost): Promise<PostOutcome> {
	return new Promise((resolve) => {
		let startedAtMs = performance.now();
		const finish = (status: number | null, body: string, error?: string) => {
			const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
			resolve({ status, body, durationMs, ...(error && { error }) });
		};
		const request = requestFor(url, eventHeaders(payload));
		request.setTimeout(timeoutMs, () => request.destroy(new Error('timeout')));
		request.on('socket', () => (startedAtMs = performance.now()));
		request.on('error', (error) => finish(null, '', error.message || error.name));
		request.on('response', (response) => {
			let body = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => {
				if (body.length < KEPT_RESPONSE_BYTES) body += chunk;
			});
			response.on('end', () => finish(response.statusCode ?? null, body));
			response.on('error', (error) => finish(null, body, error.message));
		});
		request.end(payload);
	});
}
