import Fastify from 'fastify';
import { addActions } from './control/action.ts';
import { actions } from './control/actions.ts';
import { addPageRoutes } from './pageRoutes.ts';
import { addBodyParsers } from './http/bodyParsers.ts';
import { addPipeline } from './http/pipeline.ts';
import { addRoutes } from './http/routes.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { seed } from './reset.ts';
import { createState, type State } from './state.ts';
import { v1Dialect } from './v1/dialect.ts';
import { v1Routes } from './v1/routes.ts';
import { v2Dialect } from './v2/dialect.ts';
import { v2Routes } from './v2/routes.ts';

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

/** Starts an emulator of its own; several can run side by side in one process. */
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
