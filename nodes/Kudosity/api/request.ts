import type { z } from 'zod/v4';
import { ApiError, NoAnswerError, UnexpectedResponseError } from './errors';
import { deepestLevel, isDeeperThan, isJson, parseJson } from './json';
import { withoutPrivateTexts } from './privacy';
import { readErrorBody } from './schemas/errorBody.schema';
import type { Answer, ApiRequest, Transport } from './transport';

/** `error: {code: SUCCESS}` of a v1 success: n8n repeats a node whose first item has an `error`. */
const withoutEnvelope = (body: unknown): unknown => {
	if (!isJson(body)) return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'error'));
};

/** Without its envelope, a refusal has nothing to say. */
const isEmpty = (body: unknown): boolean => isJson(body) && Object.keys(body).length === 0;

const describeBody = (text: string): string => {
	if (text.trim() === '') return 'an empty body';
	if (/^\s*</.test(text)) return 'an HTML page instead of JSON';
	return 'a body that is not valid JSON';
};

/** 204, as some deletions answer, where an empty body is the whole answer. */
const saysNothing = ({ method }: ApiRequest, { status, text }: Answer): boolean =>
	method === 'DELETE' && status === 204 && text.trim() === '';

const apiError = (request: ApiRequest, { status }: Answer, body: unknown): ApiError => {
	const fields = readErrorBody(body) ?? { code: `HTTP_${status}` };
	const said = withoutPrivateTexts(fields, request);
	const { namesRecord = false, hasOwnLimit = false } = request;
	return new ApiError({ status, namesRecord, hasOwnLimit, ...said });
};

/**
 * Sends a request and returns its body, checked and converted by `schema`.
 * Judged by HTTP status and, because v1 can say no with a 200, by the body's error code.
 *
 * @throws ApiError the service refused
 * @throws UnexpectedResponseError a success that is no JSON or not of the documented shape
 * @throws NoAnswerError nothing came back
 */
export const requestJson = async <Schema extends z.ZodType>(
	transport: Transport,
	request: ApiRequest,
	schema: Schema,
): Promise<z.output<Schema>> => {
	const answer = await transport(request);
	if (answer.kind === 'noAnswer') throw new NoAnswerError(answer.code, answer.wasSent);

	const json = saysNothing(request, answer) ? { value: {} } : parseJson(answer.text);
	const isSuccess = answer.status >= 200 && answer.status < 300;
	if (!isSuccess) throw apiError(request, answer, json?.value);
	if (json === undefined) {
		throw new UnexpectedResponseError(answer.status, describeBody(answer.text));
	}
	if (isDeeperThan(deepestLevel, json.value)) {
		throw new UnexpectedResponseError(answer.status, 'a body that is nested too deeply');
	}

	const body = request.connection === 'basic' ? withoutEnvelope(json.value) : json.value;
	const parsed = schema.safeParse(body);
	if (readErrorBody(json.value) !== undefined) {
		if (!parsed.success || request.repeatable || isEmpty(body))
			throw apiError(request, answer, json.value);
		// Half a yes: what it created may exist, so it must not count as refused.
		throw new UnexpectedResponseError(answer.status, 'a success together with an error code');
	}
	if (parsed.success) return parsed.data;
	const path = parsed.error.issues[0]?.path.join('.') || 'its top level';
	throw new UnexpectedResponseError(answer.status, `a body of another shape (at ${path})`);
};
