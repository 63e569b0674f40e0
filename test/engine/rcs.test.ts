import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { aPauseBegins } from './pauses.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const rcs = async (operation: string, fields: object = {}) =>
	await service.run(`rcs/${operation}`, fields);

/** The emulator's messages that exist from the start: number 1 is the oldest. */
const messageId = (number: number) => `5eeded00-0000-4000-8000-${String(number).padStart(12, '0')}`;
const delivered = messageId(1);
const failed = messageId(2);
const sent = messageId(3);
const queued = messageId(4);
const read = messageId(5);

describe('rcs.get', () => {
	itRefuses(service, 'rcs/get', {}, [
		[{ messageId: ' ' }, "'Message ID' is empty"],
		...['../sms', '..', 'a/b', 'a?b', '%2e%2e'].map((messageId): [object, string] => [
			{ messageId },
			"'Message ID' is not an ID",
		]),
	]);

	it('gives the message as a flat record', async () => {
		const { json } = await rcs('get', { messageId: delivered });

		expect(json).toEqual([
			{
				messageId: delivered,
				channel: 'RCS',
				status: 'DELIVERED',
				contact: expect.stringMatching(/^\d+$/),
				sender: 'PlaygroundAgent',
				text: expect.any(String),
				contentType: 'text',
				createdAt: expect.stringMatching(/\.000Z$/),
			},
		]);
	});

	it('gives the message with its events, without the envelope, when it is not to simplify', async () => {
		const { json } = await rcs('get', { messageId: ` ${delivered} `, simplify: false });

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

describe('rcs.send', () => {
	const message = { sender: 'PlaygroundAgent', recipient: '61491570006', message: 'Ready, Sam 🎉' };

	itRefuses(service, 'rcs/send', message, [
		[{ message: "={{ '' }}" }, "'Message' is empty"],
		[{ message: 'x'.repeat(3073) }, "'Message' is longer than 3072 characters"],
		[{ sender: ' ' }, "'Sender' is empty"],
		[{ recipient: 'Sam' }, "'Recipient' is not a phone number"],
		[{ options: { smsFallbackSender: 'Acme' } }, "'Options > SMS Fallback Message' is empty"],
		[
			{ options: { smsFallbackMessage: 'Hi', smsFallbackSender: 'A name that is long' } },
			"'Options > SMS Fallback Sender' is longer than 11 characters and not a phone number",
			'a sender name of up to 11 characters',
		],
		[{ options: { messageRef: 'x'.repeat(501) } }, /^'Options > Message Reference' is longer/],
	]);

	it('says that the recipient has opted out', async () => {
		const { json } = await rcs('send', message);
		await service.control.optOut(String(json[0]?.id));
		const { error } = await rcs('send', message);

		expect(error?.code).toBe('opted_out');
	});

	it('sends the text as it is, from an agent', async () => {
		const { json } = await rcs('send', { ...message, recipient: '+61 491 570 006' });

		expect(json).toMatchObject([
			{
				sender: 'PlaygroundAgent',
				recipient: '61491570006',
				content: { text: { message: message.message } },
			},
		]);
		expect((await service.control.requests())[0]?.body).toEqual({
			sender: 'PlaygroundAgent',
			recipient: '61491570006',
			content_type: 'text',
			content: { text: { message: message.message } },
		});
	});

	it('has an SMS in its place when RCS does not get there', async () => {
		const smsFallbackMessage = 'Ready, Sam';
		const options = { smsFallbackMessage, smsFallbackSender: 'Acme', messageRef: 'order-7' };
		await rcs('send', { ...message, options });

		expect((await service.control.requests())[0]?.body).toMatchObject({
			sms_fallback: { message: smsFallbackMessage, sender: 'Acme' },
			message_ref: 'order-7',
		});
	});
});

describe('rcs.checkCapability', () => {
	const sender = 'PlaygroundAgent';

	itRefuses(service, 'rcs/checkCapability', { sender, phoneNumbers: '61491570006' }, [
		[
			{ sender, phoneNumbers: "={{ '' }}" },
			"'Phone Numbers' is empty",
			'Use one number, several separated by commas',
		],
		[{ sender, phoneNumbers: '61491570006, Sam' }, /^'Phone Numbers' at position 2 (is|has) /],
		[{ sender: "={{ '' }}", phoneNumbers: '61491570006' }, "'Sender' is empty"],
		[
			{ sender, phoneNumbers: '={{ Array.from({ length: 101 }, (_, i) => 61491570006 + i) }}' },
			"'Phone Numbers' has 101 numbers, but only 100 are allowed",
			'Split the list',
		],
	]);

	it('says that the agent is not one of the account', async () => {
		const { error } = await rcs('checkCapability', {
			sender: 'Other',
			phoneNumbers: '61491570006',
		});

		expect(error?.code).toBe('invalid_sender');
	});

	it('gives an item for each number, in their order', async () => {
		await service.control.settings({ smsOnlyContacts: ['61491570156'] });
		const phoneNumbers = '61491570157, +61 491 570 156, 61491570006';
		const { items } = await rcs('checkCapability', { sender, phoneNumbers });

		expect(items).toMatchObject([
			{ json: { phone_number: '61491570157', code: 'ENABLED' }, pairedItem: { item: 0 } },
			{ json: { phone_number: '61491570156', code: 'UNREACHABLE' } },
			{ json: { phone_number: '61491570006', code: 'ENABLED' } },
		]);
	});
});

describe('rcs.getAll', () => {
	const queries = async () => (await service.control.requests()).map(({ query }) => query);

	it.each([
		['repeatCursor', 'leads back|the same page'],
		['repeatPage', 'leads back|the same page'],
	] as const)('stops at %s', async (fault, reason) => {
		await service.control.settings({ rcsMessages: 250 });
		await service.fault(fault);
		const { items, error } = await rcs('getAll', { returnAll: true });

		expect(error?.description).toMatch(new RegExp(reason));
		expect(items).toEqual([]);
	});

	itRefuses(service, 'rcs/getAll', {}, [
		[
			{ filters: { dateRange: 'custom_date', startDate: '2026-01-01' } },
			"'Filters > End Date' is empty",
		],
		[{ filters: { endDate: '2026-01-01' } }, "'Filters > Start Date' is empty"],
		[
			{ filters: { startDate: '2026-01-01T00:00:00Z', endDate: '2026-04-01T00:00:01Z' } },
			"'Filters > End Date' is more than 90 days after 'Start Date'",
		],
		[
			{ filters: { startDate: '2026-01-02', endDate: '2026-01-01' } },
			"'Filters > End Date' is before 'Start Date'",
		],
		[
			{ filters: { startDate: 'yesterday', endDate: '2026-01-01' } },
			"'Filters > Start Date' is not a date",
		],
		[
			{ filters: { dateRange: 'last_week', startDate: '2026-01-01' } },
			"'Filters > Date Range' can't be combined with 'Start Date' and 'End Date'",
			"Set 'Date Range' to 'Custom'",
		],
	]);

	it('gives the newest messages first, one request for the limit', async () => {
		const { json } = await rcs('getAll', { limit: 3 });

		expect(json.map(({ messageId }) => messageId)).toEqual([read, queued, sent]);
		expect(await queries()).toEqual([{ limit: '3' }]);
	});

	it('reads all pages of 100, each message once', async () => {
		await service.control.settings({ rcsMessages: 250 });
		const { json } = await rcs('getAll', { returnAll: true });

		expect(json.map(({ messageId }) => messageId)).toEqual(
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

	itRefuses(service, 'rcs/waitForStatus', { messageId: sent }, [
		[{ until: '={{ [] }}' }, "'Until' is empty", 'Use one or more of these: QUEUED'],
		[{ until: ['LOST'] }, "'Until' has an unknown value at position 1"],
		[
			{ options: { intervalSeconds: 0 } },
			"'Options > Interval (Seconds)' must be a whole number from 1 to 3600",
		],
	]);

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
		const options = { intervalSeconds: 3600, timeoutSeconds: 3600 };
		const fields = { messageId: queued, options };
		const { run } = await service.run('rcs/waitForStatus', fields, { stopWhen: aPauseBegins });

		expect(run.status).toBe('canceled');
		expect(await service.control.requests()).toHaveLength(1);
	});
});
