import { beforeEach, describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { createTrigger } from './triggerNode.ts';

const service = useEmulator();

const answer = async (path: string, body: object) =>
	await service.answer(body, { method: 'GET', path, count: 'forever' });

const getMany = async (resource: string, parameters = {}) =>
	await service.run(`${resource}/getAll`, { returnAll: true, ...parameters });

const odd = [
	{ id: 'name-null', name: null, url: 'https://a.example.com', filter: null, rate_limit: 0 },
	{ id: 'url-null', name: 'Another', url: null, filter: {}, rate_limit: null },
	{ id: 'numbers', name: 7, url: 7, filter: 7, rate_limit: '7' },
	{ id: 'filter', name: 'F', url: 'https://b.example.com', filter: { sender: null, status: 'X' } },
	{ id: 8, name: 'Id is a number' },
	{ name: 'No id', url: 'https://c.example.com' },
	{ id: null, url: ['https://d.example.com'] },
];

describe('odd webhooks of somebody else', () => {
	const listed = async () => {
		const own = await service.control.webhooks();
		await service.control.clearFaults();
		await answer('/v2/webhook', { webhooks: [...odd, null, 5, ...own] });
	};
	beforeEach(listed);

	it('do not keep a trigger from being registered, and removed', async () => {
		const trigger = await createTrigger({ credentials: service.credentials });
		await trigger.activate();
		expect(await service.control.webhooks()).toHaveLength(1);
		await listed();
		await trigger.activate();
		expect(await service.control.requests({ method: 'POST' })).toHaveLength(1);
		await trigger.deactivate();
		expect(await service.control.webhooks()).toEqual([]);
		expect(trigger.warnings).toEqual([]);
		expect(await service.control.requests({ method: 'DELETE' })).toHaveLength(1);
	});

	it('are output by Get Many as they are, with ids as texts', async () => {
		const { json, error } = await getMany('webhook');
		expect(error).toBeUndefined();
		expect(json).toEqual(odd.map((record) => (record.id === 8 ? { ...record, id: '8' } : record)));
	});

	it('can be chosen from the list when they have an id', async () => {
		const values = (await service.search('searchWebhooks')).map(({ value }) => value).sort();
		expect(values).toEqual(['8', 'filter', 'name-null', 'numbers', 'url-null']);
	});

	it.each([
		[null, {}],
		['7', { rate_limit: 7 }],
	])('can be updated: what is left empty stays as it is, with rate limit %j', async (has, kept) => {
		await service.control.clearFaults();
		const url = 'https://e.example.com';
		const own = await service.run('webhook/create', { name: 'Odd', url, eventTypes: ['OPT_OUT'] });
		const webhookId = String(own.json[0]?.id);
		await answer(`/v2/webhook/${webhookId}`, {
			id: webhookId,
			name: 'Odd',
			url,
			filter: { sender: null, event_type: ['OPT_OUT'] },
			rate_limit: has,
		});
		const { json, error } = await service.run('webhook/update', { webhookId, name: 'Renamed' });
		const [written] = await service.control.requests({ method: 'PUT' });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: webhookId, name: 'Renamed' }]);
		expect(written?.body).toEqual({
			name: 'Renamed',
			url,
			filter: { event_type: ['OPT_OUT'] },
			...kept,
		});
	});
});

describe('odd records of other lists', () => {
	const page = { count: 1, number: 1 };
	const number = { number: 61491570156, price: null };
	const list = { id: 7, name: 2024, members_active: '3', members_total: 'many' };
	const rcs = { id: 7, account_id: null, recipient: 61491570156, status: null };
	const sms = { id: 7, sms_count: 'many', status: null };
	const nothing = [
		{ number: null, price: 5 },
		{ id: null, name: ['A'], members_active: {} },
		{ status: 'SENT', recipient: {} },
		{ recipient: {}, created_at: 5, message: ['Hi'] },
	];

	it.each<[string, string, object, object[]]>([
		[
			'number',
			'/get-numbers.json',
			{ page, numbers: [number, nothing[0], { price: 6 }, null], numbers_total: null },
			[{ ...number, number: '61491570156' }, nothing[0]!, { price: 6 }],
		],
		[
			'list',
			'/get-lists.json',
			{ page, lists: [list, nothing[1], 'list'], lists_total: 'two' },
			[{ ...list, id: '7', name: '2024', members_active: 3 }, nothing[1]!],
		],
		[
			'rcs',
			'/v2/rcs/messages',
			{ data: { messages: [rcs, nothing[2], null] } },
			[{ ...rcs, id: '7', recipient: '61491570156' }, nothing[2]!],
		],
		[
			'sms',
			'/v2/sms',
			{ smses: [sms, nothing[3], null], total_records: 'two' },
			[{ ...sms, id: '7' }, nothing[3]!],
		],
	])('are output as they are: %s', async (resource, path, body, records) => {
		await answer(path, body);
		const { json, error } = await getMany(resource, { simplify: false });
		expect(error).toBeUndefined();
		expect(json).toEqual(records);
	});

	it('are simplified as far as they go: SMS', async () => {
		await answer('/v2/sms', { smses: [sms, nothing[3], null], total_records: 'two' });
		const { json, error } = await getMany('sms');
		expect(error).toBeUndefined();
		expect(json).toEqual([{ messageId: '7', channel: 'SMS', parts: 'many' }, { channel: 'SMS' }]);
	});
});
