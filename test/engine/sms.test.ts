import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { aPauseBegins } from './pauses.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const sms = async (operation: string, fields: object = {}) =>
	await service.run(`sms/${operation}`, fields);

const message = { message: 'Your order is ready', sender: 'Acme', recipient: '61491570006' };

const send = async (fields: object = {}, options: object = {}) => {
	const { json } = await sms('send', { ...message, ...fields, options });
	await service.control.clearFaults();
	return String(json[0]?.id);
};

const requests = async (method = 'GET') =>
	(await service.control.requests()).filter((request) => request.method === method);

describe('sms.get', () => {
	itRefuses(service, 'sms/get', {}, [
		[{ messageId: ' ' }, "'Message ID' is empty"],
		...['../mms', '..', 'a/b', 'a?b', '%2e%2e'].map((messageId): [object, string] => [
			{ messageId },
			"'Message ID' is not an ID",
		]),
	]);

	it('gives the message as a flat record', async () => {
		const messageId = await send({}, { messageRef: 'order-7' });
		const { json } = await sms('get', { messageId });

		expect(json).toEqual([
			{
				messageId,
				channel: 'SMS',
				direction: 'OUT',
				status: 'PENDING',
				contact: '61491570006',
				sender: 'Acme',
				text: 'Your order is ready',
				messageRef: 'order-7',
				parts: 1,
				createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			},
		]);
	});

	it('gives all that the service says when it is not to simplify', async () => {
		const messageId = await send();
		const { json } = await sms('get', { messageId, simplify: false });

		expect(json).toMatchObject([
			{ id: messageId, ...message, sms_count: 1, is_gsm: true, recipient_country: 'AU' },
		]);
	});
});

describe('sms.get that waits until the message is found', () => {
	const waiting = { options: { waitUntilFound: true } };
	const notYet = (count: number | 'forever', body: unknown = { error: 'SMS not found' }) =>
		({
			fault: 'custom',
			status: 404,
			body,
			match: { method: 'GET', count },
		}) as const;

	it('looks again until the service knows it', async () => {
		const messageId = await send();
		await service.control.addFault(notYet(3));
		const { json } = await sms('get', { messageId, ...waiting });

		expect(json).toMatchObject([{ messageId, text: message.message }]);
		expect(await requests()).toHaveLength(4);
	});

	it('says that it is not there after 150 seconds', async () => {
		await service.control.addFault(notYet('forever'));
		const { error } = await sms('get', { messageId: 'gone', ...waiting });

		expect(error).toMatchObject({ httpCode: '404' });
		expect(await requests()).toHaveLength(31);
	});

	it.each([
		['a page that is not of the service', 404, '<h1>Not Found</h1>'],
		['a key that is refused', 401, { error: { code: 'AUTH_FAILED', description: 'invalid' } }],
	])('does not wait for %s', async (_, status, body) => {
		await service.control.addFault({ ...notYet('forever', body), status });
		const { error } = await sms('get', { messageId: 'any', ...waiting });

		expect(error?.httpCode).toBe(String(status));
		expect(await requests()).toHaveLength(1);
	});

	it('stops when the user stops the run', async () => {
		await service.control.addFault(notYet('forever'));
		const fields = { messageId: 'gone', ...waiting };
		const { run } = await service.run('sms/get', fields, { stopWhen: aPauseBegins });

		expect(run.status).toBe('canceled');
		expect(await requests()).toHaveLength(1);
	});
});

describe('sms.getAll', () => {
	itRefuses(service, 'sms/getAll', {}, [
		[
			{ filters: { startDate: '2026-01-02', endDate: '2026-01-01' } },
			"'Filters > End Date' is before 'Start Date'",
		],
		[{ filters: { startDate: 'yesterday' } }, "'Filters > Start Date' is not a date"],
		[{ filters: { status: 'QUEUED' } }, "'Filters > Status' has an unknown value"],
		[{ filters: { direction: 'both' } }, "'Filters > Direction' has an unknown value"],
		[{ filters: { recipient: 'Sam' } }, "'Filters > Recipient' is not a phone number"],
		[{ filters: { recipient: '={{ [1, 2] }}' } }, "'Filters > Recipient' is not text"],
		// Without it, these would be everybody's messages.
		[{ filters: { recipient: '={{ undefined }}' } }, "'Filters > Recipient' is empty"],
		[{ filters: { sender: "={{ '' }}" } }, "'Filters > Sender' is empty"],
		[{ filters: { messageRef: '={{ null }}' } }, "'Filters > Message Reference' is empty"],
	]);

	it('gives the newest first, in one request for the limit', async () => {
		for (const text of ['one', 'two', 'three']) await send({ message: text });
		const { json } = await sms('getAll', { limit: 2 });

		expect(json.map(({ text }) => text)).toEqual(['three', 'two']);
		expect((await requests()).map(({ query }) => query)).toEqual([
			{ order_by: 'CREATED_AT_DESC', page: '1', limit: '2' },
		]);
	});

	it('asks the service for what the filters say', async () => {
		await sms('getAll', {
			filters: {
				direction: 'OUT',
				messageRef: 'order-7',
				recipient: '+61 491 570 006',
				sender: 'Acme',
				status: 'HARD_BOUNCE',
				startDate: '2026-01-01T09:00:00+10:00',
				endDate: '2026-02-01T00:00:00Z',
			},
		});

		expect((await requests())[0]?.query).toMatchObject({
			direction: 'OUT',
			message_ref: 'order-7',
			recipient: '61491570006',
			sender: 'Acme',
			status: 'HARD_BOUNCE',
			start_date: '2025-12-31T23:00:00.000Z',
			end_date: '2026-02-01T00:00:00.000Z',
		});
	});

	it('asks for nothing by a filter that is empty', async () => {
		const empty = { direction: '', messageRef: '', recipient: '', sender: '', startDate: '' };
		await sms('getAll', { filters: { ...empty, endDate: '={{ undefined }}', status: '' } });

		expect((await requests()).map(({ query }) => Object.keys(query ?? {}).sort())).toEqual([
			['limit', 'order_by', 'page'],
		]);
	});

	it('lets an AI model leave a filter empty', async () => {
		const { error } = await sms('getAll', {
			filters: { recipient: "={{ false ? $fromAI('Recipient') : '' }}" },
		});

		expect(error).toBeUndefined();
	});

	it('names the person who wrote as the contact, and the number of the account as the sender', async () => {
		await send();
		await service.control.inbound({ from: '61491570156', to: '61491570006', text: 'Yes, please' });
		const { json } = await sms('getAll', { filters: { direction: 'IN' } });

		expect(json).toMatchObject([
			{ direction: 'IN', contact: '61491570156', sender: '61491570006', text: 'Yes, please' },
		]);
		expect(json[0]).not.toHaveProperty('messageRef');
	});

	it('gives all that the service says when it is not to simplify', async () => {
		const id = await send();
		const { json } = await sms('getAll', { simplify: false });

		expect(json).toMatchObject([{ id, ...message, status: 'pending', sms_count: 1 }]);
	});
});
