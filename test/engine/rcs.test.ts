import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';

const service = useEmulator();

const rcs = async (
	operation: string,
	parameters: object = {},
	onStart?: (stop: () => void) => void,
) =>
	await runKudosity({
		parameters: { resource: 'rcs', operation, ...parameters } as never,
		credentials: service.credentials,
		onStart,
	});

/** The emulator's messages that exist from the start: number 1 is the oldest. */
const messageId = (number: number) => `5eeded00-0000-4000-8000-${String(number).padStart(12, '0')}`;
const delivered = messageId(1);
const failed = messageId(2);
const sent = messageId(3);
const queued = messageId(4);
const read = messageId(5);

describe('rcs.get', () => {
	it.each(['../sms', '..', 'a/b', 'a?b', '%2e%2e', ' '])(
		'refuses %j as an ID before any request',
		async (id) => {
			const { error } = await rcs('get', { messageId: id });

			expect(error?.message).toMatch(/^'Message ID' is (not an ID|empty)$/);
			expect(await service.control.requests()).toEqual([]);
		},
	);

	it('says that the service does not know the message', async () => {
		const { error } = await rcs('get', { messageId: messageId(999) });

		expect(error).toMatchObject({
			message: 'Kudosity does not know this record',
			httpCode: '404',
		});
	});

	it('gives the message with its status and events, without the envelope', async () => {
		const { json } = await rcs('get', { messageId: ` ${delivered} ` });

		expect(json).toMatchObject([
			{
				id: delivered,
				account_id: 'playground',
				status: 'DELIVERED',
				content: { text: { message: expect.any(String) } },
				events: [{ event_type: 'SENT' }, { event_type: 'DELIVERED' }],
			},
		]);
		expect(json[0]).not.toHaveProperty('meta');
	});
});

describe('rcs.getAll', () => {
	const queries = async () => (await service.control.requests()).map(({ query }) => query);

	it.each([
		['repeatCursor', 'leads back|the same page'],
		['repeatPage', 'leads back|the same page'],
	] as const)('stops at %s', async (fault, reason) => {
		await service.control.settings({ rcsMessages: 250 });
		await service.control.addFault({ fault });
		const { items, error } = await rcs('getAll', { returnAll: true });

		expect(error?.description).toMatch(new RegExp(reason));
		expect(items).toEqual([]);
	});

	it.each([
		[{ dateRange: 'custom_date', startDate: '2026-01-01' }, "'Filters > End Date' is empty"],
		[{ endDate: '2026-01-01' }, "'Filters > Start Date' is empty"],
		[
			{ startDate: '2026-01-01T00:00:00Z', endDate: '2026-04-01T00:00:01Z' },
			"'Filters > End Date' is more than 90 days after Start Date",
		],
		[
			{ startDate: '2026-01-02', endDate: '2026-01-01' },
			"'Filters > End Date' is before Start Date",
		],
		[{ startDate: 'yesterday', endDate: '2026-01-01' }, "'Filters > Start Date' is not a date"],
		[
			{ dateRange: 'last_week', startDate: '2026-01-01' },
			"'Filters > Date Range' leaves no room for Start Date and End Date",
		],
	])('refuses %j before any request', async (filters, message) => {
		const { error } = await rcs('getAll', { filters });

		expect(error?.message).toBe(message);
		expect(error?.description).toBeTruthy();
		expect(await service.control.requests()).toEqual([]);
	});

	it('has no items for an account without messages', async () => {
		await service.control.settings({ rcsMessages: 0 });
		const { items, error } = await rcs('getAll', { returnAll: true });

		expect([items, error]).toEqual([[], undefined]);
	});

	it('gives the newest messages first, one request for the limit', async () => {
		const { json } = await rcs('getAll', { limit: 3 });

		expect(json.map(({ id }) => id)).toEqual([read, queued, sent]);
		expect(await queries()).toEqual([{ limit: '3' }]);
	});

	it('reads all pages of 100, each message once', async () => {
		await service.control.settings({ rcsMessages: 250 });
		const { json } = await rcs('getAll', { returnAll: true });

		expect(json.map(({ id }) => id)).toEqual(
			Array.from({ length: 250 }, (_, index) => messageId(250 - index)),
		);
		expect(await queries()).toMatchObject([
			{ limit: '100' },
			{ limit: '100', cursor: expect.any(String) },
			{ limit: '100', cursor: expect.any(String) },
		]);
	});

	it('passes on a range of the service', async () => {
		await rcs('getAll', { filters: { dateRange: 'last_thirty' } });

		expect(await queries()).toEqual([{ limit: '50', date_range: 'last_thirty' }]);
	});

	it('sends a custom range in UTC, on every page', async () => {
		const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
		await service.control.settings({ rcsMessages: 250 });
		const filters = { startDate: hoursAgo(150.5), endDate: hoursAgo(0) };
		const { json } = await rcs('getAll', { returnAll: true, filters });

		expect(json).toHaveLength(150);
		const range = {
			date_range: 'custom_date',
			start_date: filters.startDate,
			end_date: filters.endDate,
		};
		expect(await queries()).toMatchObject([range, range]);
	});
});

describe('the dates of rcs.getAll', () => {
	it.each([
		['the date objects of expressions', '={{ $now.minus({ hours: 2 }) }}', '={{ $now }}'],
		[
			'JavaScript dates',
			'={{ new Date(Date.now() - 2 * 3600 * 1000) }}',
			'={{ new Date(Date.now()) }}',
		],
	])('can be %s', async (_, startDate, endDate) => {
		const { json, error } = await rcs('getAll', { filters: { startDate, endDate } });

		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		const [request] = await service.control.requests();
		const { start_date: start, end_date: end } = request!.query as Record<string, string>;
		expect(Date.parse(end!) - Date.parse(start!)).toBeCloseTo(2 * 3_600_000, -3);
	});
});

describe('rcs.waitForStatus', () => {
	const soon = { options: { intervalSeconds: 1, timeoutSeconds: 1 } };

	it('says that the service does not know the message', async () => {
		const { error } = await rcs('waitForStatus', { messageId: messageId(999) });

		expect(error?.httpCode).toBe('404');
	});

	it.each([
		[{ until: '={{ [] }}' }, "'Until' is empty"],
		[{ until: ['LOST'] }, "'Until' has a value at position 1 that does not exist"],
		[
			{ options: { intervalSeconds: 0 } },
			"'Options > Interval' is not a whole number from 1 to 3600",
		],
	])('refuses %j before any request', async (parameters, message) => {
		const { error } = await rcs('waitForStatus', { messageId: sent, ...parameters });

		expect(error?.message).toBe(message);
		expect(await service.control.requests()).toEqual([]);
	});

	it('gives the last answer and timedOut when the time is up, without failing', async () => {
		const { json, error } = await rcs('waitForStatus', { messageId: sent, ...soon });

		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: sent, status: 'SENT', timedOut: true }]);
		expect((await service.control.requests()).length).toBeGreaterThanOrEqual(2);
	});

	it('ends at once when the message has come that far', async () => {
		const { json } = await rcs('waitForStatus', { messageId: delivered });

		expect(json).toMatchObject([{ id: delivered, status: 'DELIVERED', timedOut: false }]);
		expect(await service.control.requests()).toHaveLength(1);
	});

	it('takes READ for DELIVERED, since a message can pass it between two looks', async () => {
		const { json } = await rcs('waitForStatus', { messageId: read, until: 'delivered' });

		expect(json).toMatchObject([{ status: 'READ', timedOut: false }]);
	});

	it('says that nobody knows what a polled FAILED was', async () => {
		const { json } = await rcs('waitForStatus', { messageId: failed, until: ['READ'] });

		expect(json).toMatchObject([{ status: 'FAILED', failedDetail: 'unknown', timedOut: false }]);
	});

	it('goes on looking until the status comes', async () => {
		const waiting = rcs('waitForStatus', {
			messageId: queued,
			until: ['SENT'],
			options: { intervalSeconds: 1, timeoutSeconds: 20 },
		});
		await service.control.waitForRequests({ path: `/v2/rcs/messages/${queued}` });
		await service.control.setStatus(queued, 'SENT');
		const { json } = await waiting;

		expect(json).toMatchObject([{ id: queued, status: 'SENT', timedOut: false }]);
	});

	it('stops when the user stops the run', async () => {
		let stop = () => {};
		const options = { intervalSeconds: 3600, timeoutSeconds: 3600 };
		const waiting = rcs('waitForStatus', { messageId: queued, options }, (press) => (stop = press));
		await service.control.waitForRequests({ path: '/v2/rcs' });
		stop();

		expect((await waiting).run.status).toBe('canceled');
	});
});
