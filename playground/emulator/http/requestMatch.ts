import { z } from 'zod/v4';

export const requestMatchSchema = z.strictObject({
	method: z.string().optional(),
	/** This path and everything below it: `/v2/sms` also means `/v2/sms/…`. */
	path: z.string().optional(),
	/** With true, only exactly this path. */
	exact: z.boolean().optional(),
	/** A piece of the body as it is logged: parsed, then written as JSON. */
	bodyIncludes: z.string().optional(),
});
export type RequestMatch = z.input<typeof requestMatchSchema>;

export interface MatchedRequest {
	method: string;
	path: string;
	body: unknown;
}

export const isPathWithin = (path: string, prefix: string) =>
	path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);

export function matchesRequest(match: RequestMatch, request: MatchedRequest): boolean {
	const { method, path, exact, bodyIncludes } = match;
	if (method && method.toUpperCase() !== request.method) return false;
	if (path && !(exact ? path === request.path : isPathWithin(request.path, path))) return false;
	return !bodyIncludes || (JSON.stringify(request.body) ?? '').includes(bodyIncludes);
}
