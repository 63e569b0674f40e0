import { describe, expect, it } from 'vitest';
import { continues, retries, useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const recipients = ['61491570006', '61491570156', '61491570157'];
const unknown = '399999999';
const empty = "={{ '' }}";

const send = async (fields: object = {}) => {
	const message = { message: 'Closed today', sender: 'Acme', recipients, ...fields };
	const { json } = await service.run('bulkSms/send', message);
	return String(json[0]?.message_id);
};

const aNumber = async () => {
	const { json } = await service.run('number/getAll', { limit: 1 });
	return String(json[0]?.number);
};

const requests = async (path: string) => await service.control.requests({ path });

const reads = ['get', 'getStats', 'getDelivery', 'getRecipients', 'getReplies'];
const recipient = '61491570006';

describe.each([...reads, 'cancel'])('bulkSms.%s', (operation) => {
	itRefuses(
		service,
		`bulkSms/${operation}`,
		{ recipient },
		[empty, 'Sam', '6fdae71c-dad7-4c36-9734-a69693ecf3b4', '0', '-1', '1.5'].map((messageId) => [
			{ messageId },
			/^'Message ID' is /,
		]),
	);
});

describe('bulkSms.get', () => {
	it('gets a message as it was sent', async () => {
		const messageId = await send();
		const { json } = await service.run('bulkSms/get', { messageId: Number(messageId) });

		expect(json).toMatchObject([
			{
				message_id: messageId,
				message: 'Closed today',
				recipients: 3,
				sms: 3,
				delivery_stats: { delivered: 0, pending: 3 },
			},
		]);
		expect(json[0]).not.toHaveProperty('error');
	});
});

describe('bulkSms.getStats', () => {
	it('puts out the figures under the names of the service', async () => {
		const messageId = await send();
		const { json } = await service.run('bulkSms/getStats', { messageId });

		expect(json).toEqual([
			{
				hard_bounced: 0,
				soft_bounced: 0,
				total: 3,
				recipientCount: 3,
				delivered: 0,
				pending: 3,
				bounced: 0,
				responses: 0,
				'opt-outs': 0,
				link_hits: 0,
			},
		]);
	});
});

describe('bulkSms.getDelivery', () => {
	it('gets the status for one recipient, however the number is written', async () => {
		const messageId = await send();
		const { json } = await service.run('bulkSms/getDelivery', {
			messageId,
			recipient: '+61 491 570 156',
		});

		expect(json).toMatchObject([
			{ message_id: messageId, mobile: '61491570156', sender_id: 'Acme', status: 'pending' },
		]);
	});

	it('says so where the message was not sent to the number', async () => {
		const fields = { messageId: await send(), recipient: '61491573770' };
		const { error } = await service.run('bulkSms/getDelivery', fields);

		expect(error).toMatchObject({ code: 'not_found' });
	});
});

describe('bulkSms.getRecipients', () => {
	it('gives an item for each recipient, over all pages', async () => {
		const many = Array.from({ length: 230 }, (_, index) => `6149${1_000_000 + index}`);
		const messageId = await send({ recipients: many });
		const { items } = await service.run('bulkSms/getRecipients', { messageId, returnAll: true });

		expect(new Set(items.map(({ json }) => json.msisdn)).size).toBe(230);
		expect(items[229]).toMatchObject({
			json: { delivery_status: 'pending', optout: false, first_name: null },
			pairedItem: { item: 0 },
		});
		expect(await requests('/get-sms-sent.json')).toHaveLength(3);
	});

	it('asks for no more than the limit', async () => {
		const messageId = await send();
		const { json } = await service.run('bulkSms/getRecipients', { messageId, limit: 2 });

		expect(json).toHaveLength(2);
		expect(await requests('/get-sms-sent.json')).toMatchObject([{ body: { max: '2' } }]);
	});

	it('hands its filters to the service', async () => {
		const messageId = await send();
		const filters = { delivery: 'failed', optouts: 'false', listId: '4100001' };
		const { json } = await service.run('bulkSms/getRecipients', { messageId, filters });

		expect(json).toEqual([]);
		const [request] = await requests('/get-sms-sent.json');
		expect(request?.body).toMatchObject({
			delivery: 'failed',
			optouts: 'false',
			list_id: '4100001',
		});
	});

	it('takes a missing list for an empty one', async () => {
		await service.control.settings({ omitEmptyArrays: true });
		const fields = { messageId: await send(), filters: { delivery: 'delivered' } };
		const { json, error } = await service.run('bulkSms/getRecipients', fields);

		expect(error).toBeUndefined();
		expect(json).toEqual([]);
	});
});

describe('bulkSms.getReplies', () => {
	const sendAndReply = async (...texts: string[]) => {
		const messageId = await send({ sender: await aNumber() });
		for (const text of texts) await service.control.reply(messageId, text, '61491570006');
		return messageId;
	};

	it('gives an item for each reply to a message', async () => {
		const messageId = await sendAndReply('Yes', '1');
		await sendAndReply('Another');
		const { json } = await service.run('bulkSms/getReplies', { messageId });

		expect(json.map(({ response }) => response).sort()).toEqual(['1', 'Yes']);
		expect(json[0]).toMatchObject({ id: expect.any(String), message_id: messageId });
		expect(json[0]).toMatchObject({ msisdn: '61491570006', longcode: expect.any(String) });
		expect(json[0]).not.toHaveProperty('original_message');
	});

	it('hands its filters to the service, dates in the time zone of the workflow as UTC', async () => {
		const startDate = new Date(Date.now() - 86_400_000).toISOString();
		const messageId = await sendAndReply('Yes');
		const { json } = await service.run('bulkSms/getReplies', {
			messageId,
			filters: { contact: '+61 491 570 006', startDate, includeOriginal: true },
		});

		expect(json).toMatchObject([{ response: 'Yes', original_message: 'Closed today' }]);
		const [request] = await requests('/get-sms-responses.json');
		expect(request?.body).toMatchObject({
			msisdn: '61491570006',
			start: startDate.slice(0, 19).replace('T', ' '),
			include_original: 'true',
		});
	});

	it('lists those that begin with a keyword', async () => {
		const fields = { by: 'keyword', keyword: 'gym', number: await aNumber(), messageId: unknown };
		await service.run('bulkSms/getReplies', fields);

		const [request] = await requests('/get-sms-responses.json');
		expect(request?.body).toMatchObject({ keyword: 'gym', number: fields.number });
		expect(request?.body).not.toHaveProperty('message_id');
	});

	it('takes the choice from an expression, and reads only what goes with it', async () => {
		const messageId = await sendAndReply('Yes');
		const fields = { by: '={{ "message" }}', messageId, keyword: empty, number: empty };
		const { json } = await service.run('bulkSms/getReplies', fields);

		expect(json).toMatchObject([{ response: 'Yes' }]);
	});

	const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

	itRefuses(service, 'bulkSms/getReplies', { messageId: '339683245' }, [
		[
			{ filters: { startDate: daysAgo(2), endDate: daysAgo(3) } },
			"'Filters > End Date' is before 'Start Date'",
		],
		[
			{ filters: { startDate: daysAgo(367) } },
			"'Filters > Start Date' is more than 12 months ago",
			'Choose a later date',
		],
		[
			{ filters: { endDate: daysAgo(2) } },
			"'Filters > Start Date' is empty",
			"To use 'End Date', set 'Start Date' as well",
		],
		[{ filters: { contact: 'Sam' } }, "'Filters > Contact' is not a phone number"],
	]);
});

describe('bulkSms.cancel', () => {
	const later = { options: { sendAt: '2099-01-31T09:00Z' } };

	it('cancels a message that is scheduled', async () => {
		const messageId = await send(later);
		const { json } = await service.run('bulkSms/cancel', { messageId });

		expect(json).toEqual([{ message_id: messageId, success: 'OK' }]);
		expect(await service.control.messages()).toMatchObject([{ status: 'CANCELLED' }]);
	});

	it('says that it is too late for one that was sent', async () => {
		const { error, run } = await service.run('bulkSms/cancel', { messageId: await send() });

		expect(error).toMatchObject({ code: 'already_sent' });
		// Not as one that somebody has stopped.
		expect(run.status).toBe('error');
	});

	it('cancels all that can be, also where it is too late for one of them', async () => {
		const ids = [await send(), unknown, await send(later), await send(later)];
		const { error } = await service.run(
			'bulkSms/cancel',
			{ messageId: '={{ $json.id }}' },
			{ items: ids.map((id) => ({ id })) },
		);

		expect(error).toMatchObject({ code: 'already_sent' });
		const statuses = (await service.control.messages()).map(({ status }) => status);
		expect(statuses.filter((status) => status === 'CANCELLED')).toHaveLength(2);
	});

	it('stops where the account may not cancel', async () => {
		const ids = await Promise.all(Array.from({ length: 60 }, async () => await send(later)));
		await service.fault('status403', { count: 'forever' });
		const { error } = await service.run(
			'bulkSms/cancel',
			{ messageId: '={{ $json.id }}' },
			{ items: ids.map((id) => ({ id })) },
		);

		expect(error).toMatchObject({ code: 'not_allowed' });
		expect((await requests('/cancel-sms.json')).length).toBeLessThan(60);
	});

	it.each([
		['status500', undefined],
		['status500AfterAcceptance', 'outcome_unknown'],
	] as const)(
		'is tried again by Retry On Fail when nobody confirmed it: %s',
		async (fault, code) => {
			const messageId = await send(later);
			await service.fault(fault, { path: '/cancel-sms.json' });
			const { error } = await service.run('bulkSms/cancel', { messageId }, { settings: retries });

			expect(error?.code).toBe(code);
			if (code)
				expect(error?.description).toContain('Check in Kudosity whether the request went through');
			expect(await service.control.messages()).toMatchObject([{ status: 'CANCELLED' }]);
		},
	);

	it('is not done twice when n8n runs the node again', async () => {
		const ids = [await send(later), await send()];
		const { json } = await service.run(
			'bulkSms/cancel',
			{ messageId: '={{ $json.id }}' },
			{
				items: ids.map((id) => ({ id })),
				settings: { ...retries, ...continues },
			},
		);

		expect(json).toMatchObject([{ message_id: ids[0] }, { details: { code: 'already_sent' } }]);
		const asked = await requests('/cancel-sms.json');
		expect(asked.filter(({ body }) => (body as { id: string }).id === ids[0])).toHaveLength(1);
	});
});
