import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { continues, useEmulator, useShortTimeouts } from './emulator.ts';

const service = useEmulator();
useShortTimeouts();

const apis = {
	sms: {
		path: '/v2/sms',
		refusal:
			'Your Kudosity account is not allowed to do this. Kudosity says: Access to this resource is forbidden. Check that the credential is for the right account, or ask Kudosity to enable the feature',
		limit: 'Rate limit exceeded',
		parameters: {
			message: '=Item {{ $json.n }}',
			sender: 'Acme',
			recipient: '=61491570{{ $json.n }}',
			options: { requestsPerSecond: 200, onOutcomeUnknown: 'fail' },
		},
	},
	bulkSms: {
		path: '/send-sms.json',
		refusal:
			"Your Kudosity account is not allowed to do this. Kudosity says: You don't have access to this feature. Check that the credential is for the right account, or ask Kudosity to enable the feature",
		limit: 'You have exceeded the request limit',
		parameters: {
			message: 'Hello',
			// As many as one request takes, so each item has a request of its own.
			recipients: '={{ Array.from({ length: 500 }, (_, i) => 61491000000 + $json.n * 500 + i) }}',
			sender: 'Acme',
			options: { requestsPerSecond: 200 },
		},
	},
} as const;

type Api = keyof typeof apis;

const items = Array.from({ length: 120 }, (_, index) => ({ n: String(100 + index) }));

const run = async (api: Api, count: number, settings: object = continues) =>
	await service.run(`${api}/send`, apis[api].parameters, {
		items: items.slice(0, count),
		settings,
	});

/** The account book: what the service accepted against what the node says. */
const balance = async (api: Api, fault: FaultRule) => {
	await service.control.addFault({ ...fault, match: { path: apis[api].path, ...fault.match } });
	const { json } = await run(api, 10);
	const errors = json.map(({ error }) => error).filter((error) => error !== undefined);
	const accepted = await service.control.messages();
	return {
		items: json.length,
		accepted: accepted.length,
		recipients: new Set(accepted.map(({ recipient }) => recipient)).size,
		sent: json.length - errors.length,
		unknown: errors.filter((error) =>
			String(error).startsWith('Kudosity did not confirm the request '),
		).length,
		errors,
	};
};

const seventh = { skip: 6, count: 1 };

describe.each(['sms', 'bulkSms'] as const)('%s.send under faults', (api) => {
	it.each([
		['a burst of 429', { fault: 'status429', retryAfter: 0, match: { skip: 6, count: 3 } }],
		['a 429 without Retry-After', { fault: 'status429', match: seventh }],
	] satisfies Array<[string, FaultRule]>)('recovers from %s', async (_, fault) => {
		const book = await balance(api, fault);

		expect(book).toMatchObject({ items: 10, accepted: 10, recipients: 10, sent: 10, unknown: 0 });
	});

	it.each([
		['500 before acceptance', { fault: 'status500', match: seventh }, 9],
		['500 after acceptance', { fault: 'status500AfterAcceptance', match: seventh }, 10],
		['a time-out after acceptance', { fault: 'timeoutAfterAcceptance', match: seventh }, 10],
		['a time-out before acceptance', { fault: 'timeout', match: seventh }, 9],
		['a reset before acceptance', { fault: 'reset', match: seventh }, 9],
		['a reset after acceptance', { fault: 'resetAfterAcceptance', match: seventh }, 10],
		['broken JSON', { fault: 'malformedJson', match: seventh }, 10],
		['an empty body', { fault: 'emptyBody', match: seventh }, 10],
		['an HTML page with status 200', { fault: 'html200AfterAcceptance', match: seventh }, 10],
		['an HTML page with status 502', { fault: 'html', match: seventh }, 9],
	] satisfies Array<[string, FaultRule, number]>)(
		'reports %s as outcome unknown and repeats nothing',
		async (_, fault, accepted) => {
			const book = await balance(api, fault);

			const sums = { items: 10, accepted, recipients: accepted, sent: 9, unknown: 1 };
			expect(book).toMatchObject(sums);
		},
	);

	it('reports a refusal as refused', async () => {
		const book = await balance(api, { fault: 'status403', match: seventh });

		expect(book).toMatchObject({ accepted: 9, sent: 9, unknown: 0 });
		expect(book.errors).toEqual([apis[api].refusal]);
	});

	it('reports an endless 429 as refused', async () => {
		await service.fault('status429', { path: apis[api].path, count: 'forever' }, { retryAfter: 0 });
		const { json } = await run(api, 2);

		expect(json).toEqual(
			Array(2).fill({
				error: `Kudosity is receiving too many requests from your account. Kudosity says: ${apis[api].limit}. Try again later, or pause other apps that use the account. If you are sending messages, lower 'Max Requests per Second'`,
				details: { code: 'rate_limited', canRetry: true },
			}),
		);
		expect(await service.control.messages()).toEqual([]);
	});

	it('leaves most items untried during an endless 429', async () => {
		await service.fault('status429', { path: apis[api].path, count: 'forever' }, { retryAfter: 0 });
		const { json } = await run(api, 120);

		expect(json).toHaveLength(120);
		for (const { details } of json) {
			expect(details).toMatchObject({ code: 'rate_limited', canRetry: true });
		}
		// Each item under way is tried seven times. All items would be 840 requests.
		const requests = await service.control.requests({ path: apis[api].path });
		expect(requests.length).toBeLessThan(420);
	});

	it('leaves the rest to a later run in an outage', async () => {
		await service.fault('status500', { path: apis[api].path, count: 'forever' });
		const { json } = await run(api, 120);

		const codes = json.map(({ details }) => (details as { code: string }).code);
		const left = codes.filter((code) => code === 'canceled');
		// At most 50 requests are under way at a time.
		expect(left.length).toBeGreaterThanOrEqual(70);
		expect(codes.filter((code) => code === 'outcome_unknown')).toHaveLength(120 - left.length);
		expect(await service.control.requests({ path: apis[api].path })).toHaveLength(
			120 - left.length,
		);
	});

	it('says what to check when the outcome is unknown', async () => {
		await service.fault('status500AfterAcceptance');
		const { error } = await run(api, 1, {});

		expect(error?.message).toMatch(/^Kudosity did not confirm the request /);
		expect(error?.description).toContain('Check in Kudosity whether the request went through');
	});
});

it('says that nothing was sent when the service cannot be reached', async () => {
	const { error } = await service.run('sms/send', apis.sms.parameters, {
		credentials: { kudosityKeyApi: { apiKey: 'playground-key', baseUrl: 'http://127.0.0.1:9' } },
		items: items.slice(0, 1),
	});

	expect(error?.message).toBe("Kudosity can't be reached");
});
