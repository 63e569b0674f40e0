import { z } from 'zod/v4';
import { maxDepth, isDeeperThan, isJson, parseJson } from '../lib/json';
import {
	ApiError,
	type ApiErrorFields,
	type FieldIssue,
	hasGivenUp,
	NoAnswerError,
	UnexpectedResponseError,
} from './errors';
import { maskRefusal } from './privacy';
import type { HttpAnswer, ApiRequest, Transport } from './transport';

const recipients = z.array(z.union([z.string(), z.number()]).transform(String)).catch([]);

/**
 * A v1 error, or a v2 error for a wrong key: `{error: {code, description}}`. The description of RECIPIENTS_ERROR is an
 * object with lists of numbers.
 */
const codeError = z.object({
	error: z.object({
		code: z.string(),
		description: z
			.union([z.string(), z.looseObject({ fails: recipients, optouts: recipients })])
			.optional()
			.catch(undefined),
	}),
});

const optionalWord = z.string().optional().catch(undefined);

const issue = z
	.looseObject({ name: optionalWord, field: optionalWord, message: z.string() })
	.transform(({ name, field, message }): FieldIssue => ({ field: name ?? field ?? '', message }));

/** A list of issues. Entries of an unknown shape are dropped, so they don't hide the others. */
const issues = z
	.array(issue.or(z.unknown().transform(() => undefined)))
	.transform((list) => list.filter((entry) => entry !== undefined))
	.optional()
	.catch(undefined);

/** RFC 9457 problem details. The service wraps them in `error`, but its error registry shows them unwrapped. */
const problem = z.object({
	title: z.string(),
	detail: optionalWord,
	issues,
	attempts_remaining: z.number().int().optional().catch(undefined),
});

const wrappedProblem = z.object({ error: problem });
const plainText = z.object({ error: z.string() });

const v1Code = /^[A-Z_]+$/;

/**
 * Whether a body can be an error. Every error body has one of these keys, so this quickly rules out most successful
 * responses.
 */
function canBeError(body: unknown): boolean {
	return typeof body === 'object' && body !== null && ('error' in body || 'title' in body);
}

/**
 * Reads any error body: v1's code, v2's problem details (wrapped or not), or a plain string. Returns undefined for
 * other bodies.
 */
export function readErrorBody(body: unknown): Omit<ApiErrorFields, 'status'> | undefined {
	if (!canBeError(body)) return undefined;
	const coded = codeError.safeParse(body);
	if (coded.success) {
		const { code, description } = coded.data.error;
		if (code === 'SUCCESS') return undefined;
		if (typeof description !== 'object') return { code, detail: description };
		return { code, failedRecipients: description.fails, optedOutRecipients: description.optouts };
	}
	const wrapped = wrappedProblem.safeParse(body);
	const bare = wrapped.success ? wrapped.data.error : problem.safeParse(body).data;
	if (bare) {
		const { title: code, detail, issues, attempts_remaining: attemptsRemaining } = bare;
		return { code, detail, issues, ...(attemptsRemaining !== undefined && { attemptsRemaining }) };
	}
	const text = plainText.safeParse(body).data?.error;
	return text === undefined || text === '' ? undefined : { code: text, detail: text };
}

/**
 * Removes `error: {code: SUCCESS}` from a successful v1 response, because n8n retries a node whose first item has an
 * `error` field.
 */
function withoutEnvelope(body: unknown): unknown {
	if (!isJson(body)) return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'error'));
}

/** Whether a v1 body had nothing but its `error`, which has been removed. */
function isEmpty(body: unknown): boolean {
	return isJson(body) && Object.keys(body).length === 0;
}

/** Matches the beginning of a web page, even after an XML declaration and comments. */
const pageStart =
	/^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|title|meta|style|script|center|h\d|div|p|table)\b/is;

/**
 * How many characters of a body are searched for `pageStart`. This leaves room for the comments with which some pages
 * begin.
 */
const maxStart = 4096;

function startsAsPage(text: string): boolean {
	return pageStart.test(text.slice(0, maxStart));
}

/**
 * Whether a body is a web page, judging by its content type or its beginning. PHP labels everything as HTML by default,
 * so the content type is ignored if the body is empty or JSON.
 */
function isWebPage({ headers, text }: HttpAnswer): boolean {
	const isLabeled = /^\s*(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '');
	return (isLabeled && !/^\s*(\{|$)/.test(text)) || startsAsPage(text);
}

function describeBody(text: string): string {
	if (text.trim() === '') return 'an empty body';
	if (startsAsPage(text)) return 'an HTML page instead of JSON';
	return 'a body that is not valid JSON';
}

/**
 * Whether a status means the same thing no matter which server or proxy sent it: any status below 400, 429 (too many
 * requests), or one that means that the server gave up.
 */
function isSaidByAll(status: number): boolean {
	return status < 400 || status === 429 || hasGivenUp(status);
}

/** Whether a response is empty on purpose: the service confirms some deletions with a 204 and an empty body. */
function saysNothing({ method }: ApiRequest, { status, text }: HttpAnswer): boolean {
	return method === 'DELETE' && status === 204 && text.trim() === '';
}

function apiError(request: ApiRequest, answer: HttpAnswer, body: unknown): ApiError {
	const { status } = answer;
	const refusal = maskRefusal(readErrorBody(body) ?? { code: `HTTP_${status}` });
	const { namesRecord = false, isPerRecordLimit = false } = request;
	const isOfPage = !isSaidByAll(status) && isWebPage(answer);
	return new ApiError({ status, namesRecord, isPerRecordLimit, isWebPage: isOfPage, ...refusal });
}

/**
 * Sends a request and reads its response. v1 can reject a request with status 200, so the error code in the body is
 * checked as well as the HTTP status.
 *
 * @throws ApiError - the service rejected the request
 * @throws UnexpectedResponseError - a successful response isn't JSON, or doesn't have the documented shape
 * @throws NoAnswerError - there was no response
 */
export async function requestJson<Schema extends z.ZodType>(
	transport: Transport,
	request: ApiRequest,
	schema: Schema,
): Promise<z.output<Schema>> {
	const answer = await transport(request);
	if (answer.kind === 'noAnswer') throw new NoAnswerError(answer.code, answer.wasSent);

	const { status, text } = answer;
	const refused = (body: unknown) => apiError(request, answer, body);
	const unreadable = (reason: string) => new UnexpectedResponseError(status, reason);
	const json = saysNothing(request, answer) ? { value: {} } : parseJson(text);
	if (status < 200 || status >= 300) throw refused(json?.value);
	if (json === undefined) throw unreadable(describeBody(text));
	if (isDeeperThan(maxDepth, json.value)) throw unreadable('JSON that is nested too deeply');

	const body = request.connection === 'basic' ? withoutEnvelope(json.value) : json.value;
	const parsed = schema.safeParse(body);
	const error = readErrorBody(json.value);
	if (error !== undefined) {
		const isOfV1 = request.connection === 'basic' && v1Code.test(error.code);
		if (request.repeatable || (isOfV1 && (!parsed.success || isEmpty(body)))) {
			throw refused(json.value);
		}
		// The request may have taken effect, so it doesn't count as rejected: v2 only rejects with an error status.
		throw unreadable('a success status with an error code');
	}
	if (parsed.success) return parsed.data;
	const path = parsed.error.issues[0]?.path.join('.') || 'the top level';
	throw unreadable(`JSON in an unexpected format (at ${path})`);
}
