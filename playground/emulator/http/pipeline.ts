import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../account.ts';
import { authenticate } from './auth.ts';
import { failAfterAcceptance, failBeforeAcceptance } from './faultAnswer.ts';
import { actsAfterAcceptance, takeFault, type ActiveFault } from './faults.ts';
import { takeRequest } from './rateLimit.ts';
import { dialectRefusal, isV2Path, problemRefusal, Refusal, v1Refusal } from './refusal.ts';
import { nextSequence, rateLimitOf, type RequestEntry, type State } from '../state.ts';

declare module 'fastify' {
	interface FastifyRequest {
		entry: RequestEntry | null;
		fault: ActiveFault | null;
		account: Account | null;
	}
}

export function accountOf({ account }: FastifyRequest): Account {
	if (!account) throw new Error('The request was not authenticated');
	return account;
}

const pathOf = (url: string) => url.split('?', 1)[0]!;

/** Control, page and short links are not part of the service. */
const isServicePath = (path: string) => isV2Path(path) || path.endsWith('.json');

const secretHeaders = ['authorization', 'x-api-key'];

function masked(headers: FastifyRequest['headers']): Record<string, unknown> {
	const shown: Record<string, unknown> = { ...headers };
	for (const name of secretHeaders) if (name in shown) shown[name] = '***';
	return shown;
}

function startEntry(state: State, request: FastifyRequest): void {
	const path = pathOf(request.url);
	if (!isServicePath(path)) return;
	request.entry = state.requests.add({
		id: nextSequence(state),
		at: new Date().toISOString(),
		method: request.method,
		path,
		query: { ...(request.query as object) },
		headers: masked(request.headers),
		body: undefined,
		status: null,
		durationMs: null,
	});
}

function limitRate(state: State, account: Account, path: string): void {
	if (takeRequest(rateLimitOf(state, account), state.settings, performance.now())) return;
	const { retryAfterSeconds } = state.settings;
	const { status, body } = dialectRefusal(path, 429);
	const headers = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) };
	throw new Refusal(status, body, headers as Record<string, string>);
}

async function meetFault(state: State, request: FastifyRequest, reply: FastifyReply) {
	const { entry } = request;
	if (!entry) return;
	const fault = takeFault(state.faults, entry);
	if (!fault) return;
	request.fault = fault;
	entry.fault = fault.fault;
	if (fault.fault === 'slow') await sleep(fault.delayMs ?? 0);
	if (actsAfterAcceptance(fault)) return;
	await failBeforeAcceptance({ state, fault, request, reply, path: entry.path });
}

/** The way of every request to the service: log, latency, fault, authentication, limit. */
async function admit(state: State, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { entry } = request;
	if (!entry) return;
	entry.body = request.body;
	state.changes.notify();
	if (state.settings.latencyMs > 0) await sleep(state.settings.latencyMs);
	await meetFault(state, request, reply);
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

/** Hooks and error answers of the service; other paths pass through them untouched. */
export function addPipeline(app: FastifyInstance, state: State): void {
	app.decorateRequest('entry', null);
	app.decorateRequest('fault', null);
	app.decorateRequest('account', null);
	app.addHook('onRequest', async (request) => startEntry(state, request));
	app.addHook('preHandler', (request, reply) => admit(state, request, reply));
	app.addHook('onSend', async (request, reply, payload) => {
		const { fault, entry } = request;
		if (!fault || !entry || !actsAfterAcceptance(fault)) return payload;
		return await failAfterAcceptance({ state, fault, request, reply, path: entry.path }, payload);
	});
	app.addHook('onResponse', async (request, reply) => finishEntry(state, request, reply));
	app.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
		const { status, body, headers } = refusalFor(error, pathOf(request.url));
		return reply.code(status).headers(headers).send(body);
	});
	app.setNotFoundHandler((request) => {
		throw unknownOperation(pathOf(request.url));
	});
}
