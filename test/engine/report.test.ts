import { afterEach, describe, expect, it, vi } from 'vitest';
import { useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();
const { run } = service;

const requests = async () => await service.control.requests();
const last = async () => (await requests()).at(-1);

const send = async (recipient = '61491570006') =>
	await run('sms/send', { message: '12345', sender: 'Acme', recipient });

const wide = { startDate: '2020-01-01T00:00Z', endDate: '2099-01-01T00:00Z' };
const contact = '61491570006';

afterEach(() => void vi.useRealTimers());

describe('the dates of a report', () => {
	it('count in the time zone of the workflow, and are sent in UTC', async () => {
		await run('report/getSentCount', {
			startDate: '2026-01-31T09:00+11:00',
			endDate: '2026-02-01T09:00:30Z',
		});

		expect((await last())?.body).toEqual({
			start: '2026-01-30 22:00:00',
			end: '2026-02-01 09:00:30',
		});
	});

	it.each([
		['report/getSentCount', '2026-01-01T00:00Z', '2026-01-08T00:00Z'],
		['report/getMessages', '2026-01-01T00:00Z', '2026-01-31T00:00Z'],
		// With their last days.
		['report/getSentCount', '2026-01-01', '2026-01-07'],
		['report/getMessages', '2026-01-01', '2026-01-30'],
	])('of %s may be as far apart as the service allows', async (name, startDate, endDate) => {
		const { error } = await run(name, { startDate, endDate });

		expect(error).toBeUndefined();
	});

	it.each([
		['report/getSentCount', 7, ''],
		['report/getSentCount', 7, '={{ $now }}'],
		['report/getMessages', 30, ''],
		['report/getMessages', 30, '={{ $now }}'],
	])('of %s may be the last %i days, until %j', async (name, days, endDate) => {
		const startDate = `={{ $now.minus({ hours: ${days * 24} }) }}`;
		const { error } = await run(name, { startDate, endDate });
		const { start, end } = (await last())?.body as { start: string; end: string };

		expect(error).toBeUndefined();
		expect(Date.parse(`${end}Z`) - Date.parse(`${start}Z`)).toBe(days * 86_400_000);
	});

	it('end today also where the machine of n8n slept meanwhile', async () => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 });
		await run('report/getSentCount', { startDate: new Date(Date.now() - 3_600_000).toISOString() });

		const today = new Date().toISOString().slice(0, 10);
		expect((await last())?.body).toMatchObject({ end: expect.stringContaining(today) });
	});

	itRefuses(service, 'report/getMessages', {}, [
		[
			{ endDate: '2026-01-01' },
			"'Start Date' is empty",
			"To use 'End Date', set 'Start Date' as well",
		],
		[
			{ startDate: '2026-01-01T00:00Z', endDate: '2026-01-31T00:00:01Z' },
			"'End Date' is more than 30 days after 'Start Date'",
		],
	]);

	itRefuses(service, 'report/getReplies', { contact }, [
		[{ startDate: '2026-02-01', endDate: '2026-01-01' }, "'End Date' is before 'Start Date'"],
	]);

	itRefuses(service, 'report/getSent', {}, [
		[{ startDate: 'yesterday', endDate: '2026-01-01' }, "'Start Date' is not a date"],
		[{ startDate: '2026-01-01', endDate: '={{ "" }}' }, "'End Date' is empty", 'Choose a date'],
	]);

	itRefuses(service, 'report/getContactHistory', {}, [[{ contact: '12' }, /^'Contact' /]]);

	itRefuses(service, 'report/getSentCount', {}, [
		[
			{ startDate: '2026-01-01T00:00Z', endDate: '2026-01-08T00:00:01Z' },
			"'End Date' is more than 7 days after 'Start Date'",
		],
		[
			{ startDate: '2026-01-01', endDate: '2026-01-08' },
			"'End Date' is more than 7 days after 'Start Date'",
			'includes the whole day',
		],
		// Without an end, it is now.
		[{ startDate: '2020-01-01' }, "'End Date' is more than 7 days after 'Start Date'"],
	]);

	it('are refused, not left out, when an expression makes no date of the item', async () => {
		const startDate = '={{ DateTime.fromISO($json.since) }}';
		const items = [{ since: 'last week' }];
		const { error } = await run('report/getSentCount', { startDate }, { items });

		expect(error?.message).toBe("'Start Date' is not a date");
		expect(await requests()).toEqual([]);
	});

	it('are left to the service when there are none', async () => {
		await run('report/getSentCount');

		expect((await last())?.body).toBeUndefined();
	});
});

describe('the report of messages without dates', () => {
	it('covers the same 24 hours on each of its pages', async () => {
		const items = Array.from({ length: 101 }, () => ({}));
		const sms = { message: '12345', sender: 'Acme', recipient: contact };
		await run('sms/send', { ...sms, options: { requestsPerSecond: 200 } }, { items });
		const { json } = await run('report/getMessages', { returnAll: true });
		const reads = (await requests()).filter(({ path }) => path === '/get-message-report.json');
		const [first, second] = reads.map(({ body }) => body as { start: string; end: string });

		expect(json).toHaveLength(101);
		expect(Date.parse(`${first?.end}Z`) - Date.parse(`${first?.start}Z`)).toBe(86_400_000);
		expect(Math.abs(Date.parse(`${first?.end}Z`) - Date.now())).toBeLessThan(60_000);
		expect(second).toMatchObject({ start: first?.start, end: first?.end, page: '2' });
	});
});

describe('report', () => {
	it('counts what was sent, as an integer', async () => {
		await send();
		const { json } = await run('report/getSentCount');

		expect(json).toEqual([{ count: 1 }]);
	});

	it('lists messages with ids, numbers and texts as text', async () => {
		await send();
		const { json } = await run('report/getMessages', { filters: { type: 'api' } });

		expect(json).toMatchObject([
			{ id: expect.any(String), message: '12345', msisdn: contact, sms: 1 },
		]);
	});

	it('lists what one person was sent', async () => {
		await send();
		await send('61491570156');
		const { json } = await run('report/getSent', { ...wide, filters: { contact } });

		expect(json).toMatchObject([{ msisdn: contact, message: '12345', caller_id: 'Acme' }]);
	});

	it.each([
		[{ limit: 2 }, ['3', '2'], 'desc'],
		[{ returnAll: true }, ['1', '2', '3'], 'asc'],
	])('gives the history of a contact with %j in the order %j', async (fields, texts, order) => {
		vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00Z') });
		for (const message of ['1', '2', '3']) {
			await run('sms/send', { message, sender: 'Acme', recipient: contact });
			vi.setSystemTime(Date.now() + 60_000);
		}
		const sent = (await run('report/getSent', { ...wide, returnAll: true })).json;
		const { json } = await run('report/getContactHistory', { contact, ...fields });
		const textOf = (id: unknown) => sent.find(({ message_id }) => message_id === id)?.message;

		expect(json.map(({ message_id }) => textOf(message_id))).toEqual(texts);
		expect((await last())?.query).toMatchObject({ sort_field: 'datetime_send', order });
	});

	it('gives the history of a contact, message by message', async () => {
		await send();
		await send();
		const { json } = await run('report/getContactHistory', { contact: '+61 491 570 006' });

		expect(json).toHaveLength(2);
		expect((await last())?.query).toMatchObject({ mobile: contact });
	});

	it('reads only as many pages as Limit needs', async () => {
		for (let index = 0; index < 3; index++) await send();
		const before = (await requests()).length;
		const { json } = await run('report/getSent', { ...wide, limit: 2 });

		expect(json).toHaveLength(2);
		expect((await requests()).slice(before).map(({ body }) => body)).toMatchObject([
			{ page: '1', max: '2' },
		]);
	});
});
