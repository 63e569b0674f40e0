import type { Json } from '../api/json';

/** What became of one item's send, in this execution; `key`: the Send Once Key that it still has. */
export type Attempt =
	| { outcome: 'accepted'; answer: Json }
	| { outcome: 'unknown'; reason: unknown; key?: string }
	/** A no that each further try would make worse. */
	| { outcome: 'spent'; reason: unknown }
	/** A definite no, of which the Send Once Key could not be given back: this item still has it. */
	| { outcome: 'refused'; key?: string };
type Kept = { attempt: Attempt; atMs: number };
type Remembered = { usedAtMs: number; sending: number; attempts: Map<string, Kept> };

type Now = () => number;

/**
 * n8n's Retry On Fail runs a node again with all its items, at most 5 times and at most 5 s apart, in the
 * same process. This remembers what those items came to, so that a re-run sends only what was not accepted.
 * Bounds for executions whose end nobody reports (n8n 1.x): an hour without a send, and 100,000 items. Runs
 * that are sending, or did a minute ago, go beyond: n8n may be about to run them again.
 */
const longestPauseMs = 60 * 60 * 1000;
const shortestPauseMs = 60 * 1000;
const mostAttempts = 100_000;

const runs = new Map<string, Remembered>();

const countAttempts = () =>
	[...runs.values()].reduce((sum, { attempts }) => sum + attempts.size, 0);

/** Forgets what is too old, and what was used longest ago beyond the bound, but nothing that is in use. */
const prune = (nowMs: number) => {
	let total = countAttempts();
	const byUse = [...runs].sort(([, one], [, other]) => one.usedAtMs - other.usedAtMs);
	for (const [run, { usedAtMs, sending, attempts }] of byUse) {
		const pauseMs = nowMs - usedAtMs;
		const isInUse = sending > 0 || pauseMs < shortestPauseMs;
		if (isInUse || (pauseMs < longestPauseMs && total <= mostAttempts)) continue;
		runs.delete(run);
		total -= attempts.size;
	}
};

/** The memory of one node in one execution, by names that tell its attempts apart. `now` gives milliseconds since the epoch. */
export const sendMemory = (run: string, now: Now = () => Date.now()) => {
	const remembered: Remembered = runs.get(run) ?? {
		attempts: new Map(),
		sending: 0,
		usedAtMs: now(),
	};
	const use = (change: -1 | 0 | 1 = 0) => {
		remembered.usedAtMs = now();
		remembered.sending += change;
	};
	use();
	runs.set(run, remembered);
	prune(now());
	return {
		recall: (attemptName: string) => remembered.attempts.get(attemptName)?.attempt,
		remember: (attemptName: string, attempt: Attempt) => {
			use();
			remembered.attempts.set(attemptName, { attempt, atMs: now() });
		},
		drop: (attemptName: string) => void remembered.attempts.delete(attemptName),
		/** Of a run that never ends. */
		dropOld: () => {
			for (const [name, { atMs }] of remembered.attempts) {
				if (now() - atMs >= longestPauseMs) remembered.attempts.delete(name);
			}
		},
		/** All that was answered. */
		answers: (): Json[] =>
			[...remembered.attempts.values()].flatMap(({ attempt }) =>
				attempt.outcome === 'accepted' ? [attempt.answer] : [],
			),
		/** While a task runs, which can be long, its run is not forgotten. */
		during: async <Value>(task: () => Promise<Value>): Promise<Value> => {
			use(1);
			return await task().finally(() => use(-1));
		},
		forget: () => void runs.delete(run),
	};
};

export type SendMemory = ReturnType<typeof sendMemory>;
