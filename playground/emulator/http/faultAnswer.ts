import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ActiveFault } from './faults.ts';
import { dialectRefusal, Refusal } from './refusal.ts';
import type { State } from '../state.ts';

const htmlPage = (title: string) =>
	`<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>gateway</body></html>`;

/** Never answers: resolves when the client has gone, or this server closes. */
async function hang({ raw }: FastifyRequest): Promise<void> {
	if (!raw.socket.destroyed) await once(raw.socket, 'close');
}

const asText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body ?? {}));

function retryAfterHeader(state: State, { retryAfter }: ActiveFault): Record<string, string> {
	const value = retryAfter ?? state.settings.retryAfterSeconds;
	return value === null ? {} : { 'Retry-After': String(value) };
}

function customRefusal({ status = 500, body, headers = {} }: ActiveFault): Refusal {
	const type = typeof body === 'string' ? 'text/html' : 'application/json';
	return new Refusal(status, asText(body), { 'content-type': type, ...headers });
}

export interface FaultyExchange {
	state: State;
	fault: ActiveFault;
	request: FastifyRequest;
	reply: FastifyReply;
	path: string;
}

/** Acts in place of the service, so that nothing is accepted. Throws the answer, or takes the reply away. */
export async function failBeforeAcceptance(exchange: FaultyExchange): Promise<void> {
	const { state, fault, request, reply, path } = exchange;
	switch (fault.fault) {
		case 'status403':
			throw dialectRefusal(path, 403);
		case 'status429': {
			const { status, body } = dialectRefusal(path, 429);
			throw new Refusal(status, body, retryAfterHeader(state, fault));
		}
		case 'status500':
			throw dialectRefusal(path, 500);
		case 'html':
			throw new Refusal(502, htmlPage('502 Bad Gateway'), { 'content-type': 'text/html' });
		case 'redirect':
			throw new Refusal(fault.status ?? 302, '', { location: fault.location ?? '/' });
		case 'custom':
			throw customRefusal(fault);
		case 'timeout':
			reply.hijack();
			return await hang(request);
		case 'reset':
			reply.hijack();
			request.raw.socket.resetAndDestroy();
	}
}

/** Replaces the answer to a request that was processed. Returns the body to send. */
export async function failAfterAcceptance(
	{ fault, request, reply, path }: FaultyExchange,
	payload: unknown,
): Promise<unknown> {
	switch (fault.fault) {
		case 'status500AfterAcceptance':
			reply.code(500);
			return JSON.stringify(dialectRefusal(path, 500).body);
		case 'malformedJson':
			return asText(payload).slice(0, Math.ceil(asText(payload).length / 2));
		case 'emptyBody':
			return '';
		case 'html200AfterAcceptance':
			reply.code(200).header('content-type', 'text/html');
			return htmlPage('Please sign in');
		case 'custom': {
			const { status, body, headers } = customRefusal(fault);
			reply.code(status).headers(headers);
			return body;
		}
		case 'timeoutAfterAcceptance':
			await hang(request);
			return '';
		case 'resetAfterAcceptance':
			request.raw.socket.resetAndDestroy();
			return '';
		default:
			return payload;
	}
}
