import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';

const requestMatchSchema = z.strictObject({
	method: z.string().optional(),
	/** This path and everything below it: `/v2/sms` also means `/v2/sms/…`. */
	path: z.string().optional(),
	/** With true, only exactly this path. */
	exact: z.boolean().optional(),
	/** A piece of the body as it is logged: parsed, then written as JSON. */
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

/** The request is not processed: nothing is accepted. */
const faultsBeforeAcceptance = [
	'status403',
	'status429',
	'status500',
	'html',
	'redirect',
	'timeout',
	'reset',
] as const;

/** The request is processed for real, and only its answer is replaced. */
const faultsAfterAcceptance = [
	'status500AfterAcceptance',
	'timeoutAfterAcceptance',
	'resetAfterAcceptance',
	'malformedJson',
	'emptyBody',
	'html200AfterAcceptance',
] as const;

/** The lists misbehave while they are paged through. */
const pagingFaults = ['repeatPage', 'ignoreMax', 'growingCount', 'repeatCursor'] as const;

export const faultKinds = [
	...faultsBeforeAcceptance,
	...faultsAfterAcceptance,
	...pagingFaults,
	/** Waits `delayMs`, then goes on as usual. */
	'slow',
	/** Answers `status`, `headers` and `body`; with `afterAcceptance` only once the request was processed. */
	'custom',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export const faultRuleSchema = z.strictObject({
	match: requestMatchSchema
		.extend({
			/** How many matching requests to let through first. */
			skip: z.number().int().min(0).optional(),
			/** Only the nth matching request, from 1: short for `skip: nth - 1, count: 1`. */
			nth: z.number().int().min(1).optional(),
			/** How many requests are hit: default 1, or 'forever' for the paging kinds. */
			count: z.union([z.number().int().min(1), z.literal('forever')]).optional(),
		})
		.optional(),
	fault: z.enum(faultKinds),
	/** Seconds, for status429; a string is sent as it is (a date, or nonsense). */
	retryAfter: z.union([z.number(), z.string()]).optional(),
	/** For redirect. */
	location: z.string().optional(),
	/** For slow. */
	delayMs: z.number().min(0).optional(),
	/** For custom and redirect (default: 302). */
	status: z.number().int().min(200).max(599).optional(),
	headers: z.record(z.string(), z.string()).optional(),
	/** For custom: a string is sent as it is, anything else as JSON. */
	body: z.unknown().optional(),
	afterAcceptance: z.boolean().optional(),
});
export type FaultRule = z.input<typeof faultRuleSchema>;

/** A rule in force: what was asked for, and how often it met a request. */
export interface ActiveFault extends FaultRule {
	id: string;
	/** Requests that matched. */
	seen: number;
	/** Requests that the fault was applied to. */
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

/** The first rule that is due for this request; every matching rule counts it. */
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
