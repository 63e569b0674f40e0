import { setTimeout as sleep } from 'node:timers/promises';

type Wait = {
	/** What is being waited for, as it reads after "Waited in vain for". */
	what: string;
	timeoutMs: number;
	intervalMs?: number;
	signal?: AbortSignal;
};

/**
 * Asks again and again until the answer is something other than `undefined`.
 *
 * @throws Error when the time is over; whatever `ask` throws ends the wait at once.
 */
export const until = async <Answer>(
	{ what, timeoutMs, intervalMs = 100, signal }: Wait,
	ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> => {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) {
			throw new Error(`Waited in vain for ${what} (${timeoutMs / 1000} s)`);
		}
		await sleep(intervalMs, undefined, { signal });
	}
};
