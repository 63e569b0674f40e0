import { describe, expect, it } from 'vitest';
import { credentialsFor, retries, useEmulator } from './emulator.ts';
import type { NodeSettings } from './harness.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();

const webhook = async (
	operation: string,
	parameters: object = {},
	settings?: NodeSettings,
	credentials = service.credentials,
) => await service.run(`webhook/${operation}`, parameters, { credentials, settings });

const complete = {
	name: 'Order events',
	url: 'https://example.com/events',
	eventTypes: ['SMS_STATUS', 'OPT_OUT'],
	filters: {
		sender: ['61491570006', 'Acme'],
		messageRef: ['order, 1'],
		status: ['delivered'],
		campaignId: ['summer-sale'],
	},
	options: { rateLimit: 5 },
};

const create = async (changes: object = {}) => {
	const { json, error } = await webhook('create', { ...complete, ...changes });
	if (error) throw new Error(error.message);
	return json[0] as { id: string };
};

const bodyOf = async (method: string) => (await service.control.requests({ method }))[0]?.body;

describe('webhook.create', () => {
	itRefuses(service, 'webhook/create', complete, [
		[{ name: '={{ " " }}' }, "'Name' is empty"],
		[{ name: 'x' }, "'Name' must have 2 to 100 characters"],
		[{ name: 'x'.repeat(101) }, "'Name' must have 2 to 100 characters"],
		[{ url: 'http://example.com/events' }, "'URL' is not a public https URL"],
		[{ url: 'example.com' }, "'URL' is not a public https URL"],
		[{ url: 'ftp://localhost/events' }, "'URL' is not a public https URL"],
		[{ url: 'https://192.168.0.5/events' }, "'URL' is not a public https URL"],
		[{ url: 'https://nas.local/events' }, "'URL' is not a public https URL"],
		[{ eventTypes: '={{ [] }}' }, "'Event Types' is empty", 'Use one or more of these: LINK_HIT'],
		[{ filters: { sender: ["'6,14916E+10"] } }, "'Filters > Sender' was rounded by a spreadsheet"],
		[{ filters: { sender: ['6.14916E+10'] } }, "'Filters > Sender' was rounded by a spreadsheet"],
		[
			{ eventTypes: ['SMS_STATUS', 'SMS_LOST'] },
			"'Event Types' has an unknown value at position 2",
		],
		[
			{ options: { rateLimit: 10_001 } },
			"'Options > Rate Limit' must be a whole number from 0 to 10000",
		],
		[{ filters: { status: ['LOST'] } }, "'Filters > Status' has an unknown value at position 1"],
		[
			{ filters: { sender: [{ a: 1 }] } },
			"'Filters > Sender' must be text, or a list of text values",
		],
		// Without it, the webhook would deliver the events of all senders.
		[{ filters: { sender: ['={{ undefined }}'] } }, "'Filters > Sender' is empty"],
		[{ filters: { messageRef: '={{ [] }}' } }, "'Filters > Message Reference' is empty"],
		[{ filters: { status: '={{ null }}' } }, "'Filters > Status' is empty"],
	]);

	it('subscribes by the filter array, never by the deprecated field', async () => {
		const { json } = await webhook('create', complete);

		expect(await bodyOf('POST')).toEqual({
			name: 'Order events',
			url: 'https://example.com/events',
			filter: {
				event_type: ['SMS_STATUS', 'OPT_OUT'],
				sender: ['61491570006', 'Acme'],
				message_ref: ['order, 1'],
				status: ['DELIVERED'],
				campaign_id: ['summer-sale'],
			},
			rate_limit: 5,
		});
		expect(json).toMatchObject([{ id: expect.any(String), name: 'Order events', rate_limit: 5 }]);
	});

	it('takes lists as text with commas, and leaves out what is empty', async () => {
		await create({
			eventTypes: 'sms_status, OPT_OUT',
			filters: { sender: '61491570006, Acme', status: [], messageRef: '' },
			options: {},
		});

		expect(await bodyOf('POST')).toEqual({
			name: 'Order events',
			url: 'https://example.com/events',
			filter: { event_type: ['SMS_STATUS', 'OPT_OUT'], sender: ['61491570006', 'Acme'] },
		});
	});

	it('sends phone numbers in filters as events carry them', async () => {
		await create({ filters: { sender: ['+61 491 570 006', 'Acme'] } });

		expect(await bodyOf('POST')).toMatchObject({ filter: { sender: ['61491570006', 'Acme'] } });
	});

	it.each(['http://localhost:5678/x', 'https://127.0.0.1/x'])(
		'lets no service elsewhere deliver to this machine: %s',
		async (url) => {
			const elsewhere = credentialsFor('https://service.invalid');
			const { error } = await webhook('create', { ...complete, url }, {}, elsewhere);

			expect(error).toMatchObject({
				message: "Kudosity can't reach this URL: it is a local address",
				description: 'Use a public https address',
			});
		},
	);

	it('takes an http address of this machine, as the playground needs it', async () => {
		const { error } = await webhook('create', { ...complete, url: 'http://127.0.0.1:5678/x' });

		expect(error).toBeUndefined();
	});
});

describe('webhook.get', () => {
	const byId = (value: string) => ({ webhookId: { __rl: true, mode: 'id', value } });

	itRefuses(service, 'webhook/get', {}, [
		[byId('={{ "" }}'), "'Webhook' is empty"],
		[byId('..'), "'Webhook' is not an ID"],
		[byId('../sms'), "'Webhook' is not an ID"],
	]);

	it.each(['id', 'list'])('gets the webhook that was chosen by %s', async (mode) => {
		const { id } = await create();
		const { json } = await webhook('get', { webhookId: { __rl: true, mode, value: id } });

		expect(json).toMatchObject([{ id, name: 'Order events', url: 'https://example.com/events' }]);
	});
});

describe('webhook.getAll', () => {
	it('gives one item for each webhook, up to the limit, with one request', async () => {
		for (const name of ['First', 'Second', 'Third']) await create({ name });
		const [all, two] = [
			await webhook('getAll', { returnAll: true }),
			await webhook('getAll', { limit: 2 }),
		];

		expect(all.json.map(({ name }) => name)).toEqual(['First', 'Second', 'Third']);
		expect(two.json.map(({ name }) => name)).toEqual(['First', 'Second']);
		expect(await service.control.requests({ method: 'GET' })).toHaveLength(2);
	});
});

describe('webhook.update', () => {
	it('keeps all that is left out', async () => {
		const { id } = await create();
		const { json } = await webhook('update', { webhookId: id, name: 'New name' });

		expect(json).toMatchObject([{ id, name: 'New name' }]);
		expect(await service.control.webhooks()).toMatchObject([
			{
				id,
				name: 'New name',
				url: 'https://example.com/events',
				rate_limit: 5,
				filter: {
					event_type: ['SMS_STATUS', 'OPT_OUT'],
					sender: ['61491570006', 'Acme'],
					message_ref: ['order, 1'],
					status: ['DELIVERED'],
					campaign_id: ['summer-sale'],
				},
			},
		]);
	});

	it('replaces the filters that are given and removes those that are given empty', async () => {
		const { id } = await create();
		await webhook('update', {
			webhookId: id,
			eventTypes: ['LINK_HIT'],
			filters: { sender: ['Other'], status: [] },
			options: { rateLimit: 0 },
		});

		const [changed] = await service.control.webhooks();
		expect(changed).toMatchObject({ name: 'Order events', rate_limit: 0 });
		expect(changed?.filter).toEqual({
			event_type: ['LINK_HIT'],
			sender: ['Other'],
			message_ref: ['order, 1'],
			campaign_id: ['summer-sale'],
		});
	});

	it('keeps the event type of an old webhook, in the filter array', async () => {
		const url = 'https://example.com/old';
		const { id } = await service.writeWebhook({ name: 'Old one', url, event_type: 'OPT_OUT' });
		await webhook('update', { webhookId: id, name: 'Still old' });

		expect(await bodyOf('PUT')).toEqual({
			name: 'Still old',
			url,
			filter: { event_type: ['OPT_OUT'] },
			rate_limit: 0,
		});
	});

	it('keeps what several items change of one webhook', async () => {
		const { id } = await create();
		const options = { rateLimit: '={{ $json.rateLimit }}' };
		const { error } = await service.run(
			'webhook/update',
			{ webhookId: id, name: '={{ $json.name }}', eventTypes: [], options },
			{ items: [{ name: 'Renamed' }, { rateLimit: 7 }] },
		);

		expect(error).toBeUndefined();
		expect(await service.control.webhooks()).toMatchObject([{ name: 'Renamed', rate_limit: 7 }]);
	});

	it('keeps an address that the internet does not reach, but sets none', async () => {
		const { id } = await service.writeWebhook({ name: 'Intranet', url: 'https://intranet/events' });
		const kept = await webhook('update', { webhookId: id, name: 'Renamed' });
		const moved = await webhook('update', { webhookId: id, url: 'https://10.0.0.7/events' });

		expect(kept.json).toMatchObject([{ name: 'Renamed', url: 'https://intranet/events' }]);
		expect(moved.error?.message).toBe("'URL' is not a public https URL");
	});

	it('leaves a webhook for all events without filter', async () => {
		const url = 'https://example.com/all';
		const { id } = await service.writeWebhook({ name: 'Everything', url });
		await webhook('update', { webhookId: id, url: 'https://example.com/moved' });

		expect(await bodyOf('PUT')).toEqual({
			name: 'Everything',
			url: 'https://example.com/moved',
			rate_limit: 0,
		});
	});
});

describe('webhook.delete', () => {
	const each = async (items: object[], settings?: NodeSettings) =>
		await service.run('webhook/delete', { webhookId: '={{ $json.id }}' }, { items, settings });

	it('says how far it got, and that Retry On Fail leaves that alone', async () => {
		const { id } = await create();
		const { error } = await each([{ id }, { id: 'gone' }]);

		expect(error?.description).toContain('1 of 2 items were completed');
		expect(error?.description).toContain('Retry On Fail');
	});

	it('deletes the rest only when Retry On Fail tries again', async () => {
		const [{ id }, other] = [await create(), await create({ name: 'Other' })];
		const path = `/v2/webhook/${other.id}`;
		await service.fault('status403', { method: 'DELETE', path, nth: 1 });
		const { json, error } = await each([{ id }, { id: other.id }], retries);

		expect(error).toBeUndefined();
		expect(json.map(({ deleted, id }) => [deleted, id])).toEqual([
			[true, id],
			[true, other.id],
		]);
	});

	it('is done when the answer to it was lost', async () => {
		const { id } = await create();
		await service.fault('status500AfterAcceptance', { method: 'DELETE', nth: 1 });
		const { json, error } = await webhook('delete', { webhookId: id });

		expect(error).toBeUndefined();
		expect(json).toEqual([{ deleted: true, id }]);
		expect(await service.control.requests({ method: 'DELETE' })).toHaveLength(2);
	});

	it('deletes that one webhook and says so', async () => {
		const [{ id }, other] = [await create(), await create({ name: 'Other' })];
		const { json } = await webhook('delete', { webhookId: id });

		expect(json).toEqual([{ deleted: true, id }]);
		expect((await service.control.webhooks()).map((left) => left.id)).toEqual([other.id]);
	});
});

describe('the list of webhooks to choose from', () => {
	const search = async (filter?: string, credentials = service.credentials) =>
		await service.search('searchWebhooks', filter, { credentials });

	it('says that the key is wrong', async () => {
		const key = { ...service.credentials.kudosityKeyApi, apiKey: 'wrong' };

		await expect(search('', { kudosityKeyApi: key })).rejects.toThrow(
			'Kudosity did not accept the credential',
		);
	});

	it('is empty for an account without webhooks', async () => {
		expect(await search()).toEqual([]);
	});

	it('shows names and addresses, in order of the names, and finds by either', async () => {
		const second = await create({ name: 'Status to CRM', url: 'https://crm.example.com/sms' });
		const first = await create({ name: 'Opt-outs' });

		expect(await search()).toEqual([
			{ name: 'Opt-outs – https://example.com/events', value: first.id },
			{ name: 'Status to CRM – https://crm.example.com/sms', value: second.id },
		]);
		expect(await search('crm.EXAMPLE')).toHaveLength(1);
		expect(await search(first.id)).toHaveLength(1);
		expect(await search('nothing')).toEqual([]);
	});
});
