import { describe, expect, it } from 'vitest';
import { refusalTexts, textOfApiError } from '../../../seams.ts';

/** Every error code that the service documents or was seen to send. */
const documentedCodes: Record<string, number> = {
	AUTH_FAILED_NO_DATA: 401,
	AUTH_FAILED: 401,
	NOT_IMPLEMENTED: 404,
	OVER_LIMIT: 429,
	FIELD_EMPTY: 400,
	FIELD_INVALID: 400,
	NO_ACCESS: 400,
	KEY_EXISTS: 400,
	LEDGER_ERROR: 400,
	BAD_CALLER_ID: 400,
	LIST_EMPTY: 400,
	RECIPIENTS_ERROR: 400,
	NOT_FOUND: 400,
	ALREADY_SENT: 400,
	MISSING_PARAM: 400,
	BAD_MOBILE: 400,
	BAD_MOBILE_COUNTRY: 400,
	OPTOUT: 400,
	DUPLICATE_DELETED: 400,
	ACCOUNT_EXPIRED: 400,
	FAILED: 400,
};

const problemTitles: Record<number, string> = {
	400: 'Invalid Request',
	401: 'API Authentication Failed',
	403: 'Forbidden',
	404: 'Not Found',
	409: 'Conflict',
	422: 'Invalid Request',
	429: 'Too Many Requests',
	500: 'Server Error',
};

describe('textOfApiError', () => {
	it.each(Object.entries(documentedCodes).filter(([code]) => code !== 'FAILED'))(
		'has words of its own for %s',
		(code, status) => {
			const { message, description } = textOfApiError({ status, code });
			expect(message).not.toContain('(status');
			expect(message).toMatch(/^[A-Z][^.]+[a-zA-Z]$/);
			expect(description.length).toBeGreaterThan(20);
			expect(`${message} ${description}`).not.toContain(code);
		},
	);

	it.each(Object.entries(problemTitles))('has words of its own for status %s', (status, title) => {
		const { message, description } = textOfApiError({ status: Number(status), code: title });
		expect(message).not.toBe(title);
		expect(description.length).toBeGreaterThan(10);
	});

	it('avoids words that blame', () => {
		const texts = Object.values(refusalTexts).flatMap(({ message, remedy }) => [message, remedy]);
		expect(texts.filter((text) => /\b(error|failure|mistake|problem)\b/i.test(text))).toEqual([]);
	});

	it('ends the words of the service with one full stop', () => {
		const detail = 'The auth data you have provided is invalid.';
		const { description } = textOfApiError({ status: 401, code: 'AUTH_FAILED', detail });
		expect(description).toContain('is invalid. Compare');
		expect(description).not.toContain('..');
	});

	it('passes on which field the service names', () => {
		const issues = [{ field: 'sender', message: 'Sender not found' }];
		const { description } = textOfApiError({ status: 400, code: 'Invalid Request', issues });
		expect(description).toContain('sender: Sender not found');
	});

	it('lists the numbers that were not taken, up to five', () => {
		const few = textOfApiError({
			status: 400,
			code: 'RECIPIENTS_ERROR',
			failedRecipients: ['61491570006'],
			optedOutRecipients: ['61491570156', '61491570157'],
		});
		expect(few.description).toContain('Not valid: …0006');
		expect(few.description).toContain('Opted out: …0156, …0157');

		const many = textOfApiError({
			status: 400,
			code: 'RECIPIENTS_ERROR',
			failedRecipients: Array<string>(6).fill('61491570006'),
		});
		expect(many.description).toContain('Not valid: 6 numbers');
	});

	it('tells a redirect from a refusal', () => {
		expect(textOfApiError({ status: 302, code: 'HTTP_302' }).message).toBe(
			'The base URL leads to another address',
		);
	});
});
