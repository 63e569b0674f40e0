import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { addControlRoutes, type ControlActions } from './controlRoutes.ts';
import { addPageRoutes } from './pageRoutes.ts';
import { addPipeline } from './pipeline.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { seedRcsMessages } from './rcsSeed.ts';
import { createState, type State } from './state.ts';
import { addV1Routes } from './v1Routes.ts';
import { addV2Routes } from './v2Routes.ts';

export interface EmulatorOptions {
	/** 127.0.0.1 unless told. */
	host: string;
	/** 0, the default, takes a free port. */
	port: number;
	/** What differs from the default settings, now and after every reset. */
	settings: Partial<Settings>;
}

export interface Emulator {
	/** Serves both hosts of the service, the control interface and the page. */
	url: string;
	port: number;
	options: EmulatorOptions;
	state: State;
	close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** v1 also takes multipart forms; files in them are of no use to it. */
async function readMultipart({ headers }: FastifyRequest, body: string | Buffer) {
	const type = headers['content-type'] ?? '';
	const form = await new Response(body, { headers: { 'content-type': type } }).formData();
	return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

/** Empty bodies and unknown types are let through: the operations say themselves what they miss. */
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

function controlActions(state: State, initial: Settings): ControlActions {
	return {
		reset(settings) {
			state.timers.clear();
			const { baseUrl, changes, poster } = state;
			Object.assign(state, createState({ ...initial, ...settings }, { baseUrl, changes, poster }));
			seedRcsMessages(state);
			changes.notify();
		},
		changeSettings(settings) {
			state.settings = { ...state.settings, ...settings };
			if (settings.balance !== undefined) state.balances.clear();
			if (settings.requestsPerSecond !== undefined) state.rateLimits.clear();
			if (settings.rcsMessages !== undefined) seedRcsMessages(state);
			state.changes.notify();
		},
	};
}

/** Starts an emulator of its own; several can run side by side in one process. */
export async function startEmulator(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
	const { host = '127.0.0.1', port = 0, settings = {} } = options;
	const initial = { ...defaultSettings, ...settings };
	const state = createState(initial);
	seedRcsMessages(state);
	const app = Fastify({ forceCloseConnections: true, bodyLimit: BODY_LIMIT_BYTES });
	addBodyParsers(app);
	addPipeline(app, state);
	addV1Routes(app, state);
	addV2Routes(app, state);
	addControlRoutes(app, state, controlActions(state, initial));
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
