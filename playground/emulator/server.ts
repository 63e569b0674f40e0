import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addActions } from './control/action.ts';
import { actions } from './control/actions.ts';
import { addPipeline } from './http/pipeline.ts';
import { Refusal } from './http/refusal.ts';
import { addRoutes } from './http/routes.ts';
import { clickLink, optOutByLink } from './messages/contactActions.ts';
import { seed } from './seed.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { createState, type State } from './state.ts';
import { v1Dialect } from './v1/dialect.ts';
import { v1Routes } from './v1/routes.ts';
import { v2Dialect } from './v2/dialect.ts';
import { v2Routes } from './v2/routes.ts';

/** Every operation of the emulator, with OpenAPI paths. v1 accepts each by GET and POST. */
export const routes: Array<{ host: 'v1' | 'v2'; method: string; path: string }> = [
	...v1Routes.flatMap(({ path }) =>
		['GET', 'POST'].map((method) => ({ host: 'v1' as const, method, path })),
	),
	...v2Routes.map(({ method, path }) => ({ host: 'v2' as const, method, path })),
];

/** The page loads no external resources. */
const PAGE_POLICY =
	"default-src 'none'; connect-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** The page, and the short links in messages. Opening one in a browser counts as the contact opening it. */
function addPageRoutes(app: FastifyInstance, state: State): void {
	app.get('/', async (_request, reply) => {
		reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY);
		return await readFile(join(import.meta.dirname, 'page.html'), 'utf8');
	});
	app.get<{ Params: { code: string } }>('/l/:code', async ({ params }, reply) => {
		const link = state.links.get(params.code);
		const message = link && state.messagesById.get(link.messageId);
		if (!link || !message) throw new Refusal(404, { error: 'No such link' });
		if (link.kind === 'click') {
			clickLink(state, message, link);
			return reply.redirect(link.url);
		}
		optOutByLink(state, message, message.recipient);
		return reply.type('text/plain').send('You have opted out and will get no more messages.');
	});
}

/** v1 also accepts multipart forms, but ignores files in them. */
async function readMultipart({ headers }: FastifyRequest, body: string | Buffer) {
	const type = headers['content-type'] ?? '';
	const form = await new Response(body, { headers: { 'content-type': type } }).formData();
	return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

/** Accepts empty bodies and unknown types; the operations report missing fields themselves. */
function addBodyParsers(app: FastifyInstance): void {
	app.removeContentTypeParser(['application/json', 'text/plain']);
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		const text = String(body);
		try {
			done(null, text === '' ? undefined : JSON.parse(text));
		} catch {
			done(Object.assign(new Error('body is not valid JSON'), { statusCode: 400 }));
		}
	});
	app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, readMultipart);
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.register(formbody);
}

interface EmulatorOptions {
	/** Default: 127.0.0.1. */
	host: string;
	/** Default: 0, which picks a free port. */
	port: number;
	/** Overrides of the default settings, now and after every reset. */
	settings: Partial<Settings>;
}

export interface Emulator {
	/** The base URL of both APIs, the control interface and the page. */
	url: string;
	port: number;
	options: EmulatorOptions;
	state: State;
	close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** Starts an emulator. Several can run in the same process. */
export async function startEmulator(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
	const { host = '127.0.0.1', port = 0, settings = {} } = options;
	const initial = { ...defaultSettings, ...settings };
	const state = createState(initial);
	seed(state);
	const app = Fastify({ forceCloseConnections: true, bodyLimit: BODY_LIMIT_BYTES });
	addBodyParsers(app);
	addPipeline(app, state);
	addRoutes(app, state, { routes: v1Routes, dialect: v1Dialect });
	addRoutes(app, state, { routes: v2Routes, dialect: v2Dialect });
	addActions(app, state, actions);
	addPageRoutes(app, state);
	const url = await app.listen({ host, port });
	state.baseUrl = url;
	return {
		url,
		port: Number(new URL(url).port),
		options: { host, port, settings },
		state,
		async close() {
			state.timers.clear();
			await app.close();
			state.poster.close();
		},
	};
}
