import { createRateLimiter, type RateLimiter } from '../api/rateLimiter';
import { hourMs } from '../lib/time';
import { accountOf } from './credentials';

/**
 * The rate limiters of this process, keyed by account. Limiters that were idle for an hour are dropped. After a
 * restart, every account starts at the full rate again.
 */
const limiters = new Map<string, RateLimiter>();

/**
 * Returns the account's rate limiter in this process. Both APIs share it, because they share the account's key and
 * limit.
 */
export function limiterFor(apiKey: unknown, nowMs: number): RateLimiter {
	const account = accountOf(apiKey);
	const known = limiters.get(account);
	if (known) return known;
	for (const [other, { isIdleSince }] of limiters) {
		// After an hour without requests, a limiter is back in its initial state.
		if (isIdleSince(nowMs - hourMs)) limiters.delete(other);
	}
	const limiter = createRateLimiter();
	limiters.set(account, limiter);
	return limiter;
}
