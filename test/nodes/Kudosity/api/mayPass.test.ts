import { expect, it } from 'vitest';
import {
	ApiError,
	InputError,
	NoAnswerError,
	UnexpectedResponseError,
	mayPass,
} from '../../../seams.ts';

const answered = (status: number) => new ApiError({ status, code: 'CODE' });

it.each([
	['a refused key', answered(401), false],
	['a key that may not', answered(403), false],
	['a wrong request', answered(400), false],
	['too many requests', answered(429), true],
	['trouble at the service', answered(503), true],
	['no answer', new NoAnswerError('ECONNRESET', true), true],
	['an answer that nobody can read', new UnexpectedResponseError(200, 'no JSON'), true],
	['a missing key', new InputError("'API Key' is empty", 'Enter it'), false],
	['anything unforeseen', new Error('boom'), false],
])('%s: may pass %s', (_, error, expected) => {
	expect(mayPass(error)).toBe(expected);
});
