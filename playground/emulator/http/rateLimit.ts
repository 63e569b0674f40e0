/** The recent requests of one account that count toward its limit. */
export interface RateLimitState {
	tokens: number;
	refilledAtMs: number;
	acceptedAtMs: number[];
}

export const createRateLimit = (): RateLimitState => ({
	tokens: Number.POSITIVE_INFINITY,
	refilledAtMs: 0,
	acceptedAtMs: [],
});

interface RateLimitRule {
	requestsPerSecond: number;
	rateLimitKind: 'tokenBucket' | 'slidingWindow';
}

/** Counts one request. false = over the limit; refused requests do not count. */
export function takeRequest(state: RateLimitState, rule: RateLimitRule, nowMs: number): boolean {
	const { requestsPerSecond } = rule;
	if (requestsPerSecond === 0) return true;
	if (rule.rateLimitKind === 'slidingWindow')
		return takeFromWindow(state, requestsPerSecond, nowMs);
	const refill = ((nowMs - state.refilledAtMs) / 1000) * requestsPerSecond;
	state.tokens = Math.min(Math.max(1, requestsPerSecond), state.tokens + refill);
	state.refilledAtMs = nowMs;
	if (state.tokens < 1) return false;
	state.tokens -= 1;
	return true;
}

function takeFromWindow(state: RateLimitState, limit: number, nowMs: number): boolean {
	state.acceptedAtMs = state.acceptedAtMs.filter((atMs) => atMs > nowMs - 1000);
	if (state.acceptedAtMs.length >= limit) return false;
	state.acceptedAtMs.push(nowMs);
	return true;
}
