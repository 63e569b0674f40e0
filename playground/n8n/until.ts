import { setTimeout as sleep } from 'node:timers/promises';

type Wait = {
	/** What is being waited for, as it reads after "waiting for". */
	what: string;
	timeoutMs: number;
	/** Short at first and then longer when absent: most answers come soon, or not for a while. */
	intervalMs?: number;
	signal?: AbortSignal;
};

/**
 * Polls until `ask` returns something other than `undefined`.
 *
 * @throws Error when the time is over; an error from `ask` ends the wait at once.
 */
export const until = async <Answer>(
	{ what, timeoutMs, intervalMs, signal }: Wait,
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
