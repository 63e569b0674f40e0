import { require } from '../engine/engineModules.ts';

/** A campaign takes minutes in place of hours. */
export const timesAsFast = 60;

/** The nodes' clock and pauses run faster than those of the service. Gives back what undoes it. */
export const speedUp = (): (() => void) => {
	const workflowModule: typeof import('n8n-workflow') = require('n8n-workflow');
	const { sleep } = workflowModule;
	const { now } = performance;
	const realNow = now.bind(performance);
	const begunMs = realNow();
	Object.defineProperty(workflowModule, 'sleep', {
		value: async (ms: number, signal?: AbortSignal) => await sleep(ms / timesAsFast, signal),
		configurable: true,
	});
	Object.defineProperty(performance, 'now', {
		value: () => begunMs + (realNow() - begunMs) * timesAsFast,
		configurable: true,
	});
	return () => {
		Object.defineProperty(workflowModule, 'sleep', { value: sleep, configurable: true });
		Object.defineProperty(performance, 'now', { value: now, configurable: true });
	};
};
