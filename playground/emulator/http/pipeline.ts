import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../model.ts';
import { nextSequence, getRateLimit, type RequestEntry, type State } from '../state.ts';
import { type ActiveFault, actsAfterAcceptance, takeFault } from './faults.ts';
import { takeRequest } from './rateLimit.ts';
import { dialectRefusal, isV2Path, problemRefusal, Refusal, v1Refusal } from './refusal.ts';

function authenticateBasic(header: string | undefined, accounts: Account[]): Account {
	if (!header) throw v1Refusal(401, 'AUTH_FAILED_NO_DATA');
	const [scheme, encoded = ''] = header.split(' ');
	const decoded = Buffer.from(encoded, 'base64').toString('utf8');
	const colon = decoded.indexOf(':');
	const apiKey = decoded.slice(0, colon);
	const apiSecret = decoded.slice(colon + 1);
	const account = accounts.find((one) => one.apiKey === apiKey && one.apiSecret === apiSecret);
	const isBasic = scheme?.toLowerCase() === 'basic' && colon >= 0;
	if (!isBasic || !apiSecret || !account) throw v1Refusal(401, 'AUTH_FAILED');
	return account;
}

function authenticateKey(path: string, key: unknown, accounts: Account[]): Account {
	const account = accounts.find((one) => one.apiKey !== '' && one.apiKey === key);
	if (account) return account;
	// The two families of v2 operations are documented with different error bodies.
	throw /^\/v2\/(?:rcs|whatsapp|senders)\b/.test(path)
		? problemRefusal(401)
		: v1Refusal(401, 'AUTH_FAILED');
}

/** The request's account, by Basic auth on v1 and `x-api-key` on v2. Throws the API's 401. */
const authenticate = (path: string, headers: IncomingHttpHeaders, accounts: Account[]) =>
	isV2Path(path)
		? authenticateKey(path, headers['x-api-key'], accounts)
		: authenticateBasic(headers.authorization, accounts);

const htmlPage = (title: string) =>
	`<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>gateway</body></html>`;

/** Never answers. Resolves when the client disconnects or this server closes. */
async function hang({ raw }: FastifyRequest): Promise<void> {
	if (!raw.socket.destroyed) await once(raw.socket, 'close');
}

/** Resolves when the fault is no longer in force. */
const clearing = async (state: State, fault: ActiveFault): Promise<void> =>
	await new Promise((resolve) => {
		const stopListening = state.changes.listen(() => {
			if (state.faults.includes(fault)) return;
			stopListening();
			resolve();
		});
	});

const toText = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body ?? {}));

function retryAfterHeader(state: State, { retryAfter }: ActiveFault): Record<string, string> {
	const value = retryAfter ?? state.settings.retryAfterSeconds;
	return value === null ? {} : { 'Retry-After': String(value) };
}

function customRefusal({ status = 500, body, headers = {} }: ActiveFault): Refusal {
	const type = typeof body === 'string' ? 'text/html' : 'application/json';
	return new Refusal(status, toText(body), { 'content-type': type, ...headers });
}

interface FaultyExchange {
	state: State;
	fault: ActiveFault;
	request: FastifyRequest;
	reply: FastifyReply;
	path: string;
}

/** Fails without processing the request, so nothing is accepted. Throws the answer or hijacks the reply. */
async function failBeforeAcceptance(exchange: FaultyExchange): Promise<void> {
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
		case 'html': {
			const { status = 502 } = fault;
			const page = htmlPage(`${status} ${STATUS_CODES[status]}`);
			throw new Refusal(status, page, { 'content-type': 'text/html' });
		}
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

/** Replaces the answer to a processed request. Returns the body to send. */
async function failAfterAcceptance(
	{ fault, request, reply, path }: FaultyExchange,
	payload: unknown,
): Promise<unknown> {
	switch (fault.fault) {
		case 'status500AfterAcceptance':
			reply.code(500);
			return JSON.stringify(dialectRefusal(path, 500).body);
		case 'malformedJson':
			return toText(payload).slice(0, Math.ceil(toText(payload).length / 2));
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

declare module 'fastify' {
	interface FastifyRequest {
		entry: RequestEntry | null;
		fault: ActiveFault | null;
		account: Account | null;
	}
}

export function requireAccount({ account }: FastifyRequest): Account {
	if (!account) throw new Error('The request was not authenticated');
	return account;
}

const getPath = (url: string) => url.split('?', 1)[0]!;

/** The control interface, the page and short links are not part of the service. */
const isServicePath = (path: string) => isV2Path(path) || path.endsWith('.json');

const secretHeaders = ['authorization', 'x-api-key'];

function maskSecrets(headers: FastifyRequest['headers']): Record<string, unknown> {
	const shown: Record<string, unknown> = { ...headers };
	for (const name of secretHeaders) if (name in shown) shown[name] = '***';
	return shown;
}

function startEntry(state: State, request: FastifyRequest): void {
	const path = getPath(request.url);
	if (!isServicePath(path)) return;
	request.entry = state.requests.add({
		id: nextSequence(state),
		at: new Date().toISOString(),
		method: request.method,
		path,
		query: { ...(request.query as object) },
		headers: maskSecrets(request.headers),
		body: undefined,
		status: null,
		durationMs: null,
	});
}

function limitRate(state: State, account: Account, path: string): void {
	if (takeRequest(getRateLimit(state, account), state.settings, performance.now())) return;
	const { retryAfterSeconds } = state.settings;
	const { status, body } = dialectRefusal(path, 429);
	const headers = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) };
	throw new Refusal(status, body, headers as Record<string, string>);
}

async function applyFault(state: State, request: FastifyRequest, reply: FastifyReply) {
	const { entry } = request;
	if (!entry) return;
	const fault = takeFault(state.faults, entry);
	if (!fault) return;
	request.fault = fault;
	entry.fault = fault.fault;
	if (fault.fault === 'slow') await sleep(fault.delayMs ?? 0);
	if (fault.fault === 'held') await clearing(state, fault);
	if (actsAfterAcceptance(fault)) return;
	await failBeforeAcceptance({ state, fault, request, reply, path: entry.path });
}

/** Request lifecycle: log, latency, faults, authentication, rate limit. */
async function admit(state: State, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { entry } = request;
	if (!entry) return;
	entry.body = request.body;
	state.changes.notify();
	if (state.settings.latencyMs > 0) await sleep(state.settings.latencyMs);
	await applyFault(state, request, reply);
	if (reply.sent) return;
	request.account = authenticate(entry.path, request.headers, state.settings.accounts);
	entry.accountId = request.account.id;
	limitRate(state, request.account, entry.path);
}

function finishEntry(state: State, { entry }: FastifyRequest, reply: FastifyReply): void {
	if (!entry) return;
	entry.status = reply.statusCode;
	entry.durationMs = Math.round(reply.elapsedTime * 10) / 10;
	state.changes.notify();
}

const unknownOperation = (path: string) =>
	isV2Path(path) || !path.endsWith('.json')
		? problemRefusal(404)
		: v1Refusal(404, 'NOT_IMPLEMENTED');

function refusalFor(error: FastifyError | Refusal, path: string): Refusal {
	if (error instanceof Refusal) return error;
	const isClientFault = error.statusCode !== undefined && error.statusCode < 500;
	if (!isClientFault) return dialectRefusal(path, 500);
	return problemRefusal(400, [{ name: 'body', message: error.message }]);
}

/** The service's hooks and error answers. Other paths pass through unchanged. */
export function addPipeline(app: FastifyInstance, state: State): void {
	app.decorateRequest('entry', null);
	app.decorateRequest('fault', null);
	app.decorateRequest('account', null);
	app.addHook('onRequest', async (request) => startEntry(state, request));
	app.addHook('preHandler', (request, reply) => admit(state, request, reply));
	app.addHook('onSend', async (request, reply, payload) => {
		const { fault, entry } = request;
		const { clockAheadMs } = state.settings;
		if (clockAheadMs !== 0) reply.header('date', new Date(Date.now() + clockAheadMs).toUTCString());
		if (!fault || !entry || !actsAfterAcceptance(fault)) return payload;
		return await failAfterAcceptance({ state, fault, request, reply, path: entry.path }, payload);
	});
	app.addHook('onResponse', async (request, reply) => finishEntry(state, request, reply));
	app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
		const { status, body, headers } = refusalFor(error, getPath(request.url));
		return reply.code(status).headers(headers).send(body);
	});
	app.setNotFoundHandler((request) => {
		throw unknownOperation(getPath(request.url));
	});
}
