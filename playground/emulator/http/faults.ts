import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

const requestMatchSchema = z.strictObject({
	method: z.string().optional(),
	/** This path and everything below it: `/v2/sms` also means `/v2/sms/…`. */
	path: z.string().optional(),
	/** Match only this exact path. */
	exact: z.boolean().optional(),
	/** Part of the body as logged, i.e. parsed and written as JSON. */
	bodyIncludes: z.string().optional(),
});
type RequestMatch = z.input<typeof requestMatchSchema>;

interface MatchedRequest {
	method: string;
	path: string;
	body: unknown;
}

export const isPathWithin = (path: string, prefix: string) =>
	path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);

function matchesRequest(match: RequestMatch, request: MatchedRequest): boolean {
	const { method, path, exact, bodyIncludes } = match;
	if (method && method.toUpperCase() !== request.method) return false;
	if (path && !(exact ? path === request.path : isPathWithin(request.path, path))) return false;
	return !bodyIncludes || (JSON.stringify(request.body) ?? '').includes(bodyIncludes);
}

/** The request is not processed, so nothing is accepted. */
const faultsBeforeAcceptance = [
	'status403',
	'status429',
	'status500',
	'html',
	'redirect',
	'timeout',
	'reset',
] as const;

/** The request is processed; only its answer is replaced. */
const faultsAfterAcceptance = [
	'status500AfterAcceptance',
	'timeoutAfterAcceptance',
	'resetAfterAcceptance',
	'malformedJson',
	'emptyBody',
	'html200AfterAcceptance',
] as const;

/** Lists misbehave during paging. */
const pagingFaults = ['repeatPage', 'ignoreMax', 'growingCount', 'repeatCursor'] as const;

export const faultKinds = [
	...faultsBeforeAcceptance,
	...faultsAfterAcceptance,
	...pagingFaults,
	/** Waits `delayMs`, then proceeds as usual. */
	'slow',
	/** Waits until all faults are cleared, then proceeds as usual. */
	'held',
	/** Answers with `status`, `headers` and `body`. With `afterAcceptance`, processes the request first. */
	'custom',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const faultRuleSchema = z.strictObject({
	match: requestMatchSchema
		.extend({
			/** Number of matching requests to let through first. */
			skip: z.number().int().min(0).optional(),
			/** Only the nth matching request, from 1. Short for `skip: nth - 1, count: 1`. */
			nth: z.number().int().min(1).optional(),
			/** Number of requests to affect. Default: 1, or 'forever' for the paging kinds. */
			count: z.union([z.number().int().min(1), z.literal('forever')]).optional(),
		})
		.optional(),
	fault: z.enum(faultKinds),
	/** For status429: seconds. A string is sent unchanged (a date, or garbage). */
	retryAfter: z.union([z.number(), z.string()]).optional(),
	/** For redirect. */
	location: z.string().optional(),
	/** For slow. */
	delayMs: z.number().min(0).optional(),
	/** For custom, html (default: 502) and redirect (default: 302). */
	status: z.number().int().min(200).max(599).optional(),
	headers: z.record(z.string(), z.string()).optional(),
	/** For custom: a string is sent unchanged, anything else as JSON. */
	body: z.unknown().optional(),
	afterAcceptance: z.boolean().optional(),
});
export type FaultRule = z.input<typeof faultRuleSchema>;

/** An active rule, with its counters. */
export interface ActiveFault extends FaultRule {
	id: string;
	/** Number of matching requests. */
	seen: number;
	/** Number of requests that the fault was applied to. */
	used: number;
}

export const activateFault = (rule: FaultRule): ActiveFault => ({
	...rule,
	id: randomUUID(),
	seen: 0,
	used: 0,
});

const isPagingFault = (kind: FaultKind) => pagingFaults.some((paging) => paging === kind);

function isDue({ match = {}, fault, seen, used }: ActiveFault): boolean {
	const { nth, skip = 0, count = isPagingFault(fault) ? 'forever' : 1 } = match;
	if (nth !== undefined) return seen === nth;
	return seen > skip && (count === 'forever' || used < count);
}

/** The first rule due for this request. Every matching rule counts it. */
export function takeFault(faults: ActiveFault[], request: MatchedRequest): ActiveFault | undefined {
	const matching = faults.filter((fault) => matchesRequest(fault.match ?? {}, request));
	for (const fault of matching) fault.seen += 1;
	const due = matching.find(isDue);
	if (due) due.used += 1;
	return due;
}

export const actsAfterAcceptance = ({ fault, afterAcceptance }: ActiveFault) =>
	faultsAfterAcceptance.some((kind) => kind === fault) ||
	(fault === 'custom' && afterAcceptance === true);
