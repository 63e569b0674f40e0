/** Timers that a reset or a close cancels together, so that nothing outlives its state. */
export interface Timers {
	after(delayMs: number, run: () => void): void;
	clear(): void;
}

export function createTimers(): Timers {
	const pending = new Set<NodeJS.Timeout>();
	return {
		after(delayMs, run) {
			const timer = setTimeout(() => {
				pending.delete(timer);
				run();
			}, delayMs);
			pending.add(timer);
		},
		clear() {
			for (const timer of pending) clearTimeout(timer);
			pending.clear();
		},
	};
}
