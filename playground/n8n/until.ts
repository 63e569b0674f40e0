import { setTimeout as sleep } from 'node:timers/promises';

type Wait = {
	/** Completes "Timed out … waiting for". */
	what: string;
	/** Default: 180,000. n8n is up by then, also on a machine that does much else. */
	timeoutMs?: number;
	/** Default: short at first, then longer, because most answers come soon or take a while. */
	intervalMs?: number;
	signal?: AbortSignal;
};

/**
 * Polls until `ask` returns something other than `undefined`.
 *
 * @throws Error when the time is up, or immediately when `ask` throws.
 */
export const until = async <Answer>(
	{ what, timeoutMs = 180_000, intervalMs, signal }: Wait,
	ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> => {
	const begunMs = Date.now();
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		const passedMs = Date.now() - begunMs;
		if (passedMs > timeoutMs) {
			throw new Error(`Timed out after ${timeoutMs / 1000} s waiting for ${what}`);
		}
		await sleep(intervalMs ?? (passedMs < 500 ? 25 : 100), undefined, { signal });
	}
};
