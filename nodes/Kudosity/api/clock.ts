/** Time as the API layer sees it. Both waits reject with CancelledError as soon as the user stops the run. */
export type Clock = {
	/** Milliseconds that pass, never back: for waits and durations. */
	now(): number;
	/** Milliseconds since the epoch by the calendar, which may be set back: for dates. */
	calendarNow(): number;
	sleep(ms: number): Promise<void>;
	unlessCancelled<Value>(promise: Promise<Value>): Promise<Value>;
	/** A number from 0 to 1 that nobody can guess: keeps clients that failed together apart. */
	random(): number;
};
