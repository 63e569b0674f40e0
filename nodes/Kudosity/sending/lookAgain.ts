import type { Clock } from '../api/clock';

const shortestPauseMs = 3_000;
const longestPauseMs = 15_000;
const growth = 1.5;
/** Each costs a request: so, looking takes a fifth of the account's line at most. */
const pauseForEachMs = 350;
const sliceMs = 250;

type Looking<Open> = {
	/** Looks once for these, and says which of them have to be looked for again. */
	look(open: Open[]): Promise<Open[]>;
	clock: Pick<Clock, 'now' | 'sleep'>;
	/** Milliseconds since the epoch; what is not found by then is left. */
	endsAtMs: number;
};

/** What `look` gives, or undefined as soon as the time is up. */
const inTime = async <Open>({ look, clock, endsAtMs }: Looking<Open>, open: Open[]) => {
	let isLooking = true;
	const watch = async (): Promise<undefined> => {
		while (isLooking && clock.now() < endsAtMs) {
			await clock.sleep(Math.min(sliceMs, endsAtMs - clock.now()));
		}
	};
	const watching = watch();
	try {
		return await Promise.race([look(open), watching]);
	} finally {
		isLooking = false;
		// No timer outlives the look.
		await watching.catch(() => undefined);
	}
};

/**
 * Looks at once, and again after growing pauses, until nothing is open or the time is up. A look that is
 * under way by then is not waited for.
 *
 * @throws what `look` throws, or CancelledError as soon as the user stops the run
 */
export const lookAgain = async <Open>(open: Open[], looking: Looking<Open>): Promise<void> => {
	const { clock, endsAtMs } = looking;
	let pauseMs = shortestPauseMs;
	for (let left = open; ; ) {
		if (clock.now() >= endsAtMs) return;
		left = (await inTime(looking, left)) ?? [];
		const waitMs = Math.max(pauseMs, left.length * pauseForEachMs);
		if (left.length === 0 || clock.now() + waitMs >= endsAtMs) return;
		await clock.sleep(waitMs);
		pauseMs = Math.min(longestPauseMs, pauseMs * growth);
	}
};
