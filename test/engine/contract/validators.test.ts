import { describe, expect, it } from 'vitest';
import type { Exchange } from './recordingProxy.ts';
import { createValidators } from './validators.ts';
import { hasDocuments, operationsOf } from './vendorDocuments.ts';

const answered = { status: 400, answer: {} };

const issuesOf = (exchange: Omit<Exchange, 'status' | 'answer'>): string[] => {
	const { api, method, path } = exchange;
	const operation = operationsOf(api).find((each) => each.path === path && each.method === method)!;
	return createValidators(api).requestIssues(operation, { ...exchange, ...answered });
};

const post = { method: 'POST', query: {} };

describe.runIf(hasDocuments)('a request that is not as documented', () => {
	it('is found when a field of a JSON body has another name, another type, or is missing', () => {
		const body = { recipient: 61491570006, message: 'Hi', tracklinks: true };
		expect(issuesOf({ ...post, api: 'v2', path: '/v2/sms', body })).toEqual([
			"body must have required property 'sender'",
			'body.recipient must be string',
			'body.tracklinks is not documented',
		]);
	});

	it('is found within a field', () => {
		const filter = { event_type: ['SMS_SENT'], senders: ['Acme'] };
		const body = { name: 'Events', url: 'https://example.com', filter };
		expect(issuesOf({ ...post, api: 'v2', path: '/v2/webhook', body })).toEqual([
			'body.filter.event_type[] must be equal to one of the allowed values',
			'body.filter.senders is not documented',
		]);
	});

	it('is found in a query, in which numbers are texts', () => {
		const query = { page: '1', max: 'many', size: '5' };
		expect(
			issuesOf({
				api: 'v1',
				method: 'GET',
				path: '/get-lists.json',
				query,
				body: undefined,
			}).sort(),
		).toEqual(['request.max must be integer', 'request.size is not documented']);
	});

	it('is found in a form, which counts like the query', () => {
		const body = { to: '61491570006', send_at: '2030-01-31T10:00:00Z', sender: 'Acme' };
		const query = { message: 'Hi' };
		expect(issuesOf({ ...post, api: 'v1', path: '/send-sms.json', query, body }).sort()).toEqual([
			'request.send_at must match format "date-time"',
			'request.sender is not documented',
		]);
	});
});
