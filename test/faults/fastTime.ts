import { require } from '../engine/engineModules.ts';
import { isRequesting } from '../engine/pauses.ts';

/** A campaign takes minutes in place of hours. */
export const timesAsFast = 60;

/** A pause of this length is no matter of pacing: a node waits for what others do. */
const longMs = 5_000;
const tickMs = 5;

type Held = { ms: number; end: () => void };

/** The nodes' clock and pauses run faster than those of the service. */
export const speedUp = () => {
	const workflowModule: typeof import('n8n-workflow') = require('n8n-workflow');
	const { sleep } = workflowModule;
	const { now } = performance;
	const realNow = now.bind(performance);
	const begunMs = realNow();
	// From now on, they are counted.
	isRequesting();
	const held = new Set<Held>();
	let isHolding = false;
	let skippedMs = 0;
	let shortPauses = 0;
	const pause = async (ms: number, signal?: AbortSignal) => {
		if (isHolding && ms >= longMs) return await new Promise<void>((end) => held.add({ ms, end }));
		const isShort = ms < longMs;
		if (isShort) shortPauses += 1;
		await sleep(ms / timesAsFast, signal);
		if (isShort) shortPauses -= 1;
	};
	const endHeld = (upToMs: number) => {
		for (const each of held) {
			if (each.ms > upToMs) continue;
			held.delete(each);
			each.end();
		}
	};
	Object.defineProperty(workflowModule, 'sleep', { value: pause, configurable: true });
	Object.defineProperty(performance, 'now', {
		value: () => begunMs + skippedMs + (realNow() - begunMs) * timesAsFast,
		configurable: true,
	});
	return {
		/** Lets time pass on the nodes' clock. */
		passTime: (ms: number) => void (skippedMs += ms),
		/** Long pauses last until the test lets them end: a busy machine needs any time for what nodes wait for. */
		hold: () => void (isHolding = true),
		/**
		 * Until `task` is done, ends what is held up to that length: the shortest first, and each while no node has a
		 * request under way or waits for its turn.
		 */
		letEnd: async (upToMs: number, task: Promise<unknown>) => {
			let isDone = false;
			const end = task.finally(() => (isDone = true));
			while (!isDone) {
				await new Promise((resolve) => setTimeout(resolve, tickMs));
				const next = Math.min(...[...held].map(({ ms }) => ms));
				if (next <= upToMs && shortPauses === 0 && !isRequesting()) endHeld(next);
			}
			await end;
		},
		release: () => {
			isHolding = false;
			endHeld(Infinity);
		},
		restore: () => {
			Object.defineProperty(workflowModule, 'sleep', { value: sleep, configurable: true });
			Object.defineProperty(performance, 'now', { value: now, configurable: true });
		},
	};
};
