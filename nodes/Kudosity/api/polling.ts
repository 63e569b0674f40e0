import type { Clock } from './clock';

export type Polling<Answer> = {
	check(): Promise<Answer>;
	isDone(answer: Answer): boolean;
	intervalMs: number;
	timeoutMs: number;
	clock: Clock;
};

/** Checks at once, then after each interval, and for the last time when the time is up. */
export const pollUntil = async <Answer>({
	check,
	isDone,
	intervalMs,
	timeoutMs,
	clock,
}: Polling<Answer>): Promise<{ answer: Answer; timedOut: boolean }> => {
	const endsAtMs = clock.now() + timeoutMs;
	for (;;) {
		const answer = await check();
		if (isDone(answer)) return { answer, timedOut: false };
		const leftMs = endsAtMs - clock.now();
		if (leftMs <= 0) return { answer, timedOut: true };
		await clock.sleep(Math.min(intervalMs, leftMs));
	}
};
