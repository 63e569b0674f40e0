/** Time as the API layer sees it. Both waits reject with CancelledError as soon as the user stops the run. */
export type Clock = {
	/** Milliseconds since the epoch; never goes back. */
	now(): number;
	sleep(ms: number): Promise<void>;
	unlessCancelled<Value>(promise: Promise<Value>): Promise<Value>;
	/** A number from 0 to 1 that nobody can guess: keeps clients that failed together apart. */
	random(): number;
};
