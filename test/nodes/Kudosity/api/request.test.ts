import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import {
	ApiError,
	NoAnswerError,
	outcomeOf,
	UnexpectedResponseError,
	requestJson,
	type Answer,
	type ApiRequest,
	type NoAnswer,
} from '../../../seams.ts';

const request: ApiRequest = { connection: 'basic', method: 'POST', path: '/x', repeatable: false };
const schema = z.looseObject({ id: z.number() });

const ask = async (result: Answer | NoAnswer) =>
	await requestJson(async () => result, request, schema).catch((error: unknown) => error);

const answer = (status: number, body: unknown): Answer => ({
	kind: 'answer',
	status,
	headers: {},
	text: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('requestJson', () => {
	it('gives back the checked body with unknown fields', async () => {
		expect(await ask(answer(200, { id: 1, more: true }))).toEqual({ id: 1, more: true });
	});

	it.each([
		[
			'a v1 code',
			400,
			{ error: { code: 'BAD_CALLER_ID', description: 'No.' } },
			'BAD_CALLER_ID',
			'No.',
		],
		[
			'a v1 refusal with status 200',
			200,
			{ error: { code: 'LEDGER_ERROR', description: 'Low.' } },
			'LEDGER_ERROR',
			'Low.',
		],
		[
			'a plain string',
			404,
			{ error: 'Webhook not found' },
			'Webhook not found',
			'Webhook not found',
		],
		[
			'a wrapped problem',
			429,
			{ error: { title: 'Too Many Requests', detail: 'Rate', status: 429 } },
			'Too Many Requests',
			'Rate',
		],
		[
			'a bare problem',
			422,
			{ title: 'Invalid Request', detail: 'Failed', status: 422 },
			'Invalid Request',
			'Failed',
		],
		['HTML', 502, '<html>Bad gateway</html>', 'HTTP_502', undefined],
		['nothing', 401, '', 'HTTP_401', undefined],
		['JSON of no known shape', 400, ['odd'], 'HTTP_400', undefined],
	])('reads %s', async (_, status, body, code, detail) => {
		const error = await ask(answer(status, body));
		expect(error).toBeInstanceOf(ApiError);
		expect((error as ApiError).fields).toMatchObject({ status, code });
		expect((error as ApiError).fields.detail).toBe(detail);
	});

	it('reads the issues of a problem, whichever name the field has', async () => {
		const issues = [
			{ name: 'sender', message: 'Sender not found' },
			{ field: 'recipient', code: 2200, message: 'recipient is required' },
		];
		const error = await ask(answer(400, { error: { title: 'Invalid Request', issues } }));
		expect((error as ApiError).fields.issues).toEqual([
			{ field: 'sender', message: 'Sender not found' },
			{ field: 'recipient', message: 'recipient is required' },
		]);
	});

	it('reads the numbers that a RECIPIENTS_ERROR lists', async () => {
		const description = { fails: [61491570006], optouts: ['61491570156'] };
		const error = await ask(answer(400, { error: { code: 'RECIPIENTS_ERROR', description } }));
		expect((error as ApiError).fields).toMatchObject({
			failedRecipients: ['61491570006'],
			optedOutRecipients: ['61491570156'],
		});
	});

	it.each([
		['an empty body', '', 'an empty body'],
		['HTML', '<!doctype html><p>Hi', 'an HTML page instead of JSON'],
		['truncated JSON', '{"id": 1', 'a body that is not valid JSON'],
		['another shape', '{"id": "one"}', 'a body of another shape (at id)'],
		['a list', '[]', 'a body of another shape (at its top level)'],
	])('does not take %s for a success', async (_, text, reason) => {
		const error = await ask(answer(200, text));
		expect(error).toBeInstanceOf(UnexpectedResponseError);
		expect((error as UnexpectedResponseError).reason).toBe(reason);
	});
});

describe('the outcome of a request', () => {
	it.each([
		['nothing beside it', {}, 'refused'],
		['what it created beside it', { id: 1 }, 'unknown'],
	])('of a v1 refusal with status 200 and %s is what it says', async (_, beside, outcome) => {
		const refusal = answer(200, { ...beside, error: { code: 'ALREADY_SENT' } });
		const result = requestJson(async () => refusal, request, z.looseObject({}));

		expect(outcomeOf(await result.catch((error: unknown) => error))).toBe(outcome);
	});

	it.each([
		['400', answer(400, {}), 'refused'],
		['429', answer(429, {}), 'refused'],
		['302', answer(302, ''), 'refused'],
		['a v1 refusal with status 200', answer(200, { error: { code: 'OPTOUT' } }), 'refused'],
		['500', answer(500, {}), 'unknown'],
		['503', answer(503, ''), 'unknown'],
		['a success that cannot be read', answer(200, 'ok'), 'unknown'],
		['a broken connection', { kind: 'noAnswer', code: 'ECONNRESET', wasSent: true }, 'unknown'],
		['a refused connection', { kind: 'noAnswer', code: 'ECONNREFUSED', wasSent: false }, 'refused'],
	] satisfies Array<[string, Answer | NoAnswer, string]>)(
		'of %s is %s',
		async (_, result, outcome) => {
			expect(outcomeOf(await ask(result))).toBe(outcome);
		},
	);

	it('of anything unforeseen is unknown', () => {
		expect(outcomeOf(new TypeError('a bug'))).toBe('unknown');
		expect(new NoAnswerError('X', true).outcome).toBe('unknown');
	});
});
