import { createRateLimiter, type RateLimiter } from '../api/rateLimiter';
import { hourMs } from '../lib/time';
import { accountOf } from './credentials';

/**
 * The limiters by account. Those that were idle for an hour are dropped; after a restart, every account starts at full
 * pace again.
 */
const limiters = new Map<string, RateLimiter>();

/** One limiter for each account in this process: both APIs of an account share its limit and its key. */
export function limiterFor(apiKey: unknown, nowMs: number): RateLimiter {
	const account = accountOf(apiKey);
	const known = limiters.get(account);
	if (known) return known;
	for (const [other, { isIdleSince }] of limiters) {
		// After an hour without a request, a limiter is the same as a new one.
		if (isIdleSince(nowMs - hourMs)) limiters.delete(other);
	}
	const limiter = createRateLimiter();
	limiters.set(account, limiter);
	return limiter;
}
