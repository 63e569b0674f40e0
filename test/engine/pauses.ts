import { afterAll, beforeAll } from 'vitest';
import { axios, forgetBuiltNodes, require } from './engineModules.ts';

type Pause = { endsAtMs: number; end: () => void };
type Watcher = { longerThanMs: number; begun: () => void };

const tickMs = 1;
const realNow = performance.now.bind(performance);
const pauses = new Set<Pause>();
/** Those that take as long as they say, unless a test lets time pass. */
const realPauses = new Set<Pause>();
const watchers = new Set<Watcher>();
let skippedMs = 0;
let requestsUnderWay = 0;
let isInstalled = false;
let isReal = false;

const now = (): number => realNow() + skippedMs;

const endDue = (some: Set<Pause>): void => {
	for (const pause of [...some].filter(({ endsAtMs }) => endsAtMs <= now())) {
		some.delete(pause);
		pause.end();
	}
};

const endDuePauses = (): void => {
	const next = Math.min(...[...pauses].map(({ endsAtMs }) => endsAtMs));
	if (requestsUnderWay === 0) skippedMs += Math.max(0, next - now());
	endDue(pauses);
	if (pauses.size > 0) setTimeout(endDuePauses, tickMs);
};

const skippingSleep = async (ms: number): Promise<void> => {
	if (pauses.size === 0) setTimeout(endDuePauses, tickMs);
	await new Promise<void>((end) => pauses.add({ endsAtMs: now() + ms, end }));
};

const realSleep = async (ms: number): Promise<void> =>
	await new Promise<void>((resolve) => {
		const pause = { endsAtMs: now() + ms, end: () => (clearTimeout(timer), resolve()) };
		const timer = setTimeout(() => (realPauses.delete(pause), resolve()), ms);
		realPauses.add(pause);
	});

const tellWatchers = (ms: number): void => {
	for (const watcher of [...watchers].filter(({ longerThanMs }) => ms > longerThanMs)) {
		watchers.delete(watcher);
		watcher.begun();
	}
};

let isCounting = false;
const countRequests = (): void => {
	if (isCounting) return;
	isCounting = true;
	axios.interceptors.request.use((config) => {
		requestsUnderWay += 1;
		return config;
	});
	axios.interceptors.response.use(
		(response) => {
			requestsUnderWay -= 1;
			return response;
		},
		(error) => {
			requestsUnderWay -= 1;
			throw error;
		},
	);
};

/** Whether a node has a request under way, since this was first asked. */
export const isRequesting = (): boolean => {
	countRequests();
	return requestsUnderWay > 0;
};

/**
 * Lets the nodes' pauses, between tries and for the limits of the service, cost no time: while no request is under
 * way, the nodes' clock skips to the end of the next one. Their order and what that clock says stay as they would be.
 */
export const skipPauses = (): void => {
	if (isInstalled) return;
	isInstalled = true;
	const workflowModule: typeof import('n8n-workflow') = require('n8n-workflow');
	const { sleep } = workflowModule;
	Object.defineProperty(workflowModule, 'sleep', {
		value: async (ms: number, signal?: AbortSignal) => {
			tellWatchers(ms);
			if (signal) await sleep(ms, signal);
			else await (isReal ? realSleep(ms) : skippingSleep(ms));
		},
	});
	Object.defineProperty(performance, 'now', { value: now });
	countRequests();
};

/** Lets the nodes' clock go on by so much, and ends the pauses that are over then. */
export const passTime = (ms: number): void => {
	skippedMs += ms;
	endDue(realPauses);
};

/** Resolves when a node begins a pause that is longer than this. */
export const pauseBegins = async (longerThanMs: number): Promise<void> =>
	await new Promise<void>((begun) => watchers.add({ longerThanMs, begun }));

/** Lets time pass on the nodes' clock, but ends no pause. */
export const skipTime = (ms: number): void => {
	skippedMs += ms;
	for (const pause of [...pauses, ...realPauses]) pause.endsAtMs += ms;
};

/** For `stopWhen`: the node pauses for longer than between two tries. */
export const aPauseBegins = async (): Promise<void> => await pauseBegins(1_000);

/** Resolves when no node pauses or has a request under way, also after it has answered. */
export const nodesAreIdle = async (): Promise<void> => {
	do await new Promise((resolve) => setTimeout(resolve, tickMs));
	while (pauses.size > 0 || requestsUnderWay > 0);
};

/** For tests of what the service sees in real time. */
export const useRealPauses = (): void => {
	beforeAll(() => void (isReal = true));
	afterAll(() => {
		isReal = false;
		// Some of its pauses take minutes.
		forgetBuiltNodes('first');
	});
};
