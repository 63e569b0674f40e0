import { describe, expect, it } from 'vitest';
import { continues, retries, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
useDeduplicationStore();

const toList = { sendTo: 'list', message: 'Closed today', sender: 'Acme', listId: '4100002' };
const requests = async () => await service.control.requests({ path: '/send-sms.json' });
const twice = { items: [{}, {}] };

/** A new list with these contacts, and how to send to it. */
const listOf = async (...contacts: string[]) => {
	const created = await service.run('list/create', { name: 'Autumn Campaign' });
	const listId = String(created.json[0]?.id);
	for (const contact of contacts) await service.run('contact/upsert', { contact, listId });
	return { ...toList, listId };
};

const listOfTwo = async () => await listOf('61491570006', '61491570156');

describe('a contact list', () => {
	it('gets a message, with its count and no numbers of our own', async () => {
		const { listId, ...fields } = await listOfTwo();
		const { json } = await service.run('bulkSms/send', { ...fields, listId });

		const [request] = await requests();
		expect(request?.body).toEqual({ message: 'Closed today', from: 'Acme', list_id: listId });
		expect(json).toMatchObject([
			{ recipients: 2, not_sent: [], parts: 1, request: { list: { id: listId } } },
		]);
		expect(json[0]).not.toHaveProperty('duplicate');
	});

	it.each(['0', 0, '', null, 'all', '-1', '4100002,4100001'])(
		'is never guessed from %j',
		async (id) => {
			const fields = { ...toList, listId: '={{ $json.id }}' };
			const { error } = await service.run('bulkSms/send', fields, { items: [{ id }] });

			expect(error?.message).toMatch(/^'List' is (empty|not (an ID|the ID of a list))$/);
			expect(await requests()).toEqual([]);
		},
	);

	it('without active contacts is refused in words that say so', async () => {
		const { error } = await service.run('bulkSms/send', await listOf());

		expect(error?.code).toBe('empty_list');
		expect(error?.message).toBe('The contact list has no active contacts');
	});

	it('gets the same message once, whatever the number of items', async () => {
		const { json } = await service.run('bulkSms/send', await listOfTwo(), twice);

		expect(await requests()).toHaveLength(1);
		expect(json).toMatchObject([
			{ message_id: expect.any(String), recipients: 2 },
			{ message_id: json[0]?.message_id, recipients: 0, duplicate: true },
		]);
		expect(json[0]).not.toHaveProperty('duplicate');
	});

	it('gets nothing for an item whose key an earlier item has, whatever that came to', async () => {
		const { listId, ...fields } = await listOfTwo();
		const created = await service.run('list/create', { name: 'Winter Campaign' });
		const other = String(created.json[0]?.id);
		await service.run('contact/upsert', { contact: '61491570157', listId: other });
		const { json } = await service.run(
			'bulkSms/send',
			{
				...fields,
				listId: { __rl: true, mode: 'id', value: '={{ $json.list }}' },
				options: { deduplicationKey: '={{ $json.key }}' },
			},
			{
				items: [
					{ list: listId, key: 'J' },
					{ list: other, key: 'J' },
					{ list: '4999999', key: 'K' },
					{ list: other, key: 'K' },
				],
				settings: continues,
			},
		);

		expect((await requests()).map(({ body }) => (body as { list_id: string }).list_id)).toEqual([
			listId,
			'4999999',
		]);
		const unknownList = { details: { code: 'invalid_value' } };
		expect(json).toMatchObject([
			{ recipients: 2 },
			{ code: 'already_messaged' },
			unknownList,
			unknownList,
		]);
	});

	it('gets each of two different messages', async () => {
		const fields = { ...(await listOfTwo()), message: '={{ $json.text }}' };
		const { json } = await service.run('bulkSms/send', fields, {
			items: [{ text: 'Closed' }, { text: 'Open' }],
		});

		expect(await requests()).toHaveLength(2);
		expect(json.map(({ duplicate }) => duplicate)).toEqual([undefined, undefined]);
	});

	it('gets none of three different messages, which were meant for one person each', async () => {
		const fields = { ...(await listOfTwo()), message: '=Hi {{ $json.name }}' };
		const items = ['Ana', 'Ben', 'Cleo'].map((name) => ({ name }));
		const { json } = await service.run('bulkSms/send', fields, { items, settings: continues });

		expect(await requests()).toEqual([]);
		expect(json.map(({ error }) => error)).toEqual(
			Array(3).fill(
				expect.stringContaining(
					"3 different messages, because item 2 differs from item 1 in 'Message'",
				),
			),
		);
		expect(json[0]?.error).toContain('SMS → Send');
	});

	it('gets one message when Send At moves on while thousands of items are read', async () => {
		const { listId, ...fields } = await listOfTwo();
		const begunMs = Date.now() + 3_600_000;
		const items = Array.from({ length: 60 }, (_, index) => ({
			at: new Date(begunMs + index * 1_000).toISOString(),
		}));
		const options = { sendAt: '={{ $json.at }}' };
		const { json } = await service.run('bulkSms/send', { ...fields, listId, options }, { items });

		expect(await requests()).toHaveLength(1);
		expect(json.filter(({ duplicate }) => duplicate)).toHaveLength(59);
	});

	it('is not sent to again by Retry On Fail when nobody knows whether it got the message', async () => {
		const fields = await listOfTwo();
		await service.fault('reset', { path: '/send-sms.json' });
		const { error } = await service.run('bulkSms/send', fields, { ...twice, settings: retries });

		expect(error?.message).toMatch(/^Kudosity did not confirm the request/);
		expect(await requests()).toHaveLength(1);
	});

	it('may have got the message, whichever of its many items is asked', async () => {
		const fields = { ...(await listOfTwo()), output: 'itemResult' };
		await service.fault('reset', { path: '/send-sms.json' });
		const items = Array.from({ length: 60 }, () => ({}));
		const { json } = await service.run('bulkSms/send', fields, { items });

		expect(json.map(({ result }) => (result as { outcome: string }).outcome)).toEqual(
			Array(60).fill('notConfirmed'),
		);
		expect(await requests()).toHaveLength(1);
	});

	it.each([{ allowedRecipients: 'AU' }, { maxPerExecution: 5 }, { maxPerRecipientPerDay: 5 }])(
		'gets nothing while %j guards the node, as nobody knows whom it reaches',
		async (options) => {
			const fields = await listOfTwo();
			const { error } = await service.run('bulkSms/send', { ...fields, options });

			expect(error?.message).toContain("can't be used with a contact list");
			expect(error?.description).toContain('active contacts');
			expect(await requests()).toEqual([]);
			const free = await service.run('bulkSms/send', { ...fields, options: { maxParts: 1 } });
			expect(free.error).toBeUndefined();
		},
	);

	it('is named by a dry run, which sends nothing', async () => {
		const fields = await listOfTwo();
		const { json } = await service.run('bulkSms/send', {
			...fields,
			options: { dryRun: 'always' },
		});

		expect(json).toMatchObject([{ dryRun: true, listId: fields.listId, parts: 1 }]);
		expect(await requests()).toEqual([]);
	});

	it('and numbers in one execution are sent to as each item says', async () => {
		const { listId, ...others } = await listOfTwo();
		const fields = {
			...others,
			sendTo: '={{ $json.to }}',
			recipients: '61491570157',
			listId: { __rl: true, mode: 'list', value: listId },
		};
		const { json } = await service.run('bulkSms/send', fields, {
			items: [{ to: 'list' }, { to: 'recipients' }],
		});

		expect((await requests()).map(({ body }) => body)).toEqual([
			expect.not.objectContaining({ to: expect.anything() }),
			expect.not.objectContaining({ list_id: expect.anything() }),
		]);
		expect(json.map(({ recipients }) => recipients)).toEqual([2, 1]);
	});
});
