import { describe, expect, it } from 'vitest';
import { continues, phones, retries, useEmulator } from './emulator.ts';

const service = useEmulator();

type Item = { to: unknown; text?: string };

const run = async (items: Item[], settings = {}) =>
	await service.bulk(items, { requestsPerSecond: 500 }, { settings });

const requests = async () => await service.control.requests({ path: '/send-sms.json' });

describe('items that send the same', () => {
	it('go out together, each paired with the message that its number went out under', async () => {
		const { items } = await run([{ to: '61491570006' }, { to: '61491570156' }]);

		expect(await requests()).toMatchObject([{ body: { to: '61491570006,61491570156' } }]);
		const [first, second] = items;
		expect(first).toMatchObject({ json: { recipients: 1 }, pairedItem: { item: 0 } });
		expect(second?.json.message_id).toBe(first?.json.message_id);
		expect(second).toMatchObject({ json: { recipients: 1 }, pairedItem: { item: 1 } });
		expect(first?.json.request).toMatchObject({ recipients: 2, parts: 2 });
	});

	it('take three requests when there are 1,001 of them', async () => {
		const { json } = await run(phones(1001).map((to) => ({ to })));

		expect(json).toHaveLength(1001);
		expect(await requests()).toHaveLength(3);
		expect(await service.control.messages()).toHaveLength(3);
	});

	it('send to each number once, whatever its spelling', async () => {
		const { json } = await run([
			{ to: ['61491570006', '+61 491 570 156'] },
			{ to: '+61491570006' },
			{ to: '61491570157' },
		]);

		expect(await requests()).toMatchObject([
			{ body: { to: '61491570006,61491570156,61491570157' } },
		]);
		expect(json.map(({ recipients, duplicate }) => [recipients, duplicate])).toEqual([
			[2, undefined],
			[1, undefined],
			[1, undefined],
		]);
	});

	it('send 500 messages where an expression gives all 500 numbers to each of 100 items', async () => {
		const to = phones(500);
		const { json } = await run(to.slice(0, 100).map(() => ({ to })));

		expect(await requests()).toHaveLength(1);
		expect(json.map(({ recipients }) => recipients)).toEqual(Array(100).fill(500));
	});
});

describe('items that go out together', () => {
	const three = [{ to: '61491570006' }, { to: '61491570156' }, { to: '61491570157' }];

	it('are sent once when n8n runs the node again', async () => {
		await service.fault('status500AfterAcceptance', { count: 1 });
		const { json } = await run(three, { ...retries, ...continues });

		expect(json).toHaveLength(3);
		for (const { error } of json) expect(error).toMatch(/^Kudosity did not confirm the request/);
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('are sent by the second try when the first one was refused', async () => {
		await service.fault('status403', { count: 1 });
		const { json, error } = await run(three, retries);

		expect(error).toBeUndefined();
		expect(json.map(({ recipients }) => recipients)).toEqual([1, 1, 1]);
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('go on without the one that is wrong', async () => {
		const items = [{ to: '61491570006' }, { to: 'Sam' }, { to: '61491570157' }];
		const { json } = await run(items, continues);

		expect(json[1]?.error).toMatch(/^'Recipients' has no valid phone number/);
		expect(await requests()).toMatchObject([{ body: { to: '61491570006,61491570157' } }]);
	});
});

describe('items that differ in more than their recipients', () => {
	const [ana, ben] = phones(2);
	const items = [
		{ to: ana, text: 'Closed', from: 'Acme', at: '2099-01-31T09:00Z', minutes: 60, country: 'AU' },
		{ to: ben, text: 'Closed', from: 'Acme', at: '2099-01-31T09:00Z', minutes: 60, country: 'NZ' },
	];
	const fields = {
		...{ message: '={{ $json.text }}', sender: '={{ $json.from }}' },
		recipients: '={{ $json.to }}',
		options: {
			sendAt: '={{ $json.at }}',
			validity: '={{ $json.minutes }}',
			defaultCountry: '={{ $json.country }}',
			dryRun: "={{ $json.dry ?? 'never' }}",
		},
	};
	const runChanged = async (changes: object, settings = {}) =>
		await service.run('bulkSms/send', fields, {
			items: [...items, { ...items[0], to: phones(3)[2], ...changes }],
			settings,
		});

	it.each([
		['Message', { text: 'Open' }],
		['Sender', { from: 'Other' }],
		['Options > Send At', { at: '2099-01-31T09:00:11Z' }],
		['Options > Validity (Minutes)', { minutes: 61 }],
	])('are refused before anything is sent: %s', async (name, changes) => {
		const { error } = await runChanged(changes);

		expect(error).toMatchObject({
			message: `Bulk SMS sends one message, but item 3 differs from item 1 in '${name}'`,
			description: expect.stringContaining('use SMS → Send, or put Loop Over Items'),
			code: 'invalid_input',
		});
		expect(await service.control.requests()).toEqual([]);
		const { json } = await runChanged(changes, continues);
		const refused = { error: expect.stringContaining(`item 3 differs from item 1 in '${name}'`) };
		expect(json).toMatchObject([refused, refused, refused]);
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		['a country', {}, 3],
		['a time within ten seconds', { at: '2099-01-31T09:00:10Z' }, 3],
		['a dry run', { dry: 'always' }, 2],
	])('are one message where that is %s', async (_, changes, numbers) => {
		const { error } = await runChanged(changes);

		expect(error).toBeUndefined();
		expect(await requests()).toMatchObject([{ body: { send_at: '2099-01-31 09:00:00' } }]);
		const [request] = await requests();
		expect((request?.body as { to: string }).to.split(',')).toEqual(phones(3).slice(0, numbers));
	});

	it('do not count where they could not be read, or go to a contact list', async () => {
		const both = {
			...fields,
			sendTo: '={{ $json.list ? "list" : "recipients" }}',
			listId: '4100001',
		};
		const { json } = await service.run('bulkSms/send', both, {
			items: [
				...items,
				{ ...items[0], list: true, text: 'Open' },
				{ ...items[0], to: 'Sam', text: 'Bye' },
			],
			settings: continues,
		});

		expect(json.map(({ error }) => error === undefined)).toEqual([true, true, true, false]);
		expect(await requests()).toHaveLength(2);
	});
});

it('sends numbers in the order of the items, the first spelling of each', async () => {
	const to = phones(1001);
	await run([{ to: to.slice(0, 600) }, { to: [`+${to[0]}`, ...to.slice(500)] }]);

	const sent = (await requests()).map(({ body }) => (body as { to: string }).to.split(','));
	expect(sent).toEqual([to.slice(0, 500), to.slice(500, 1000), to.slice(1000)]);
});
