import { createHash } from 'crypto';
import { createLimiter, type Limiter } from '../api/limiter';

/** An account among those that this process remembers, which holds no keys. */
export const accountOf = (apiKey: unknown): string =>
	createHash('sha256').update(String(apiKey)).digest('base64');

/** So long after its last request, a limiter has no more to say than a new one. */
const longestIdleMs = 3_600_000;

const limiters = new Map<string, Limiter>();

/** One limiter for each account in this process: both APIs of an account share its limit and its key. */
export const limiterFor = (apiKey: unknown, nowMs: number): Limiter => {
	const account = accountOf(apiKey);
	const known = limiters.get(account);
	if (known) return known;
	for (const [other, { isIdleSince }] of limiters) {
		if (isIdleSince(nowMs - longestIdleMs)) limiters.delete(other);
	}
	const limiter = createLimiter();
	limiters.set(account, limiter);
	return limiter;
};
