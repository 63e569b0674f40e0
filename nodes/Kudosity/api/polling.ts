import type { Clock } from './clock';
import { mayPass } from './mayPass';

export type Polling<Answer> = {
	check(): Promise<Answer>;
	isDone(answer: Answer): boolean;
	intervalMs: number;
	timeoutMs: number;
	clock: Clock;
};

/**
 * Checks at once, then after each interval, and for the last time when the time is up. Once there was an answer, it
 * counts as long as the service is in trouble.
 *
 * @throws what the first check failed with, and what would fail again
 */
export const pollUntil = async <Answer>({
	check,
	isDone,
	intervalMs,
	timeoutMs,
	clock,
}: Polling<Answer>): Promise<{ answer: Answer; timedOut: boolean }> => {
	let last: { answer: Answer } | undefined;
	const look = async (): Promise<Answer> =>
		await check().then(
			(answer) => (last = { answer }).answer,
			(error: unknown) => {
				if (last && mayPass(error)) return last.answer;
				throw error;
			},
		);
	const endsAtMs = clock.now() + timeoutMs;
	for (;;) {
		const answer = await look();
		if (isDone(answer)) return { answer, timedOut: false };
		const leftMs = endsAtMs - clock.now();
		if (leftMs <= 0) return { answer, timedOut: true };
		await clock.sleep(Math.min(intervalMs, leftMs));
	}
};
