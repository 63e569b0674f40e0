import { describe, expect, it } from 'vitest';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import { continues, phones, useEmulator } from './emulator.ts';
import { countCredentialReads } from './harness.ts';

const service = useEmulator();

const run = async (apiKeys: string[], settings: object = {}) => {
	const kudosityKeyApi = { apiKey: '={{ $json.apiKey }}', baseUrl: service.url };
	const numbers = phones(apiKeys.length);
	const items = apiKeys.map((apiKey, item) => ({ apiKey, phone: numbers[item] }));
	return await service.sms(items, {}, { credentials: { kudosityKeyApi }, settings });
};

it.each([
	['sms/send', { message: 'Hi', sender: 'Acme', recipient: '61491570006' }, { apiKey: 'wrong' }],
	['number/getAll', {}, { apiSecret: 'wrong' }],
])('%s says that its key or secret is wrong, after one request', async (name, fields, wrong) => {
	const { kudosityBasicApi, kudosityKeyApi } = service.credentials;
	const credentials = {
		kudosityBasicApi: { ...kudosityBasicApi, ...wrong },
		kudosityKeyApi: { ...kudosityKeyApi, ...wrong },
	};
	const { error } = await service.run(name, fields, { credentials });

	const message = 'Kudosity did not accept the credential';
	expect(error).toMatchObject({ message, httpCode: '401' });
	expect(await service.control.requests()).toHaveLength(1);
});

describe('a credential that has an expression', () => {
	const two = [PLAYGROUND_API_KEY, 'key-of-another-account'];
	const refused = expect.stringMatching(/^The credential's expression depends on the item/);
	const runWith = async (apiKey: string, items: object[] = phones(3).map((phone) => ({ phone }))) =>
		await service.sms(
			items,
			{},
			{ credentials: { kudosityKeyApi: { apiKey, baseUrl: service.url } } },
		);

	it.each([
		['with other values', [0, 1]],
		['where the first and the last item agree', [0, 1, 0]],
		['where all items agree', [0, 0, 0]],
		['for the last of many', [...Array<number>(120).fill(0), 1]],
	])('is refused where it reads the items, %s', async (_, keys) => {
		const { error } = await run(keys.map((key) => two[key]!));

		expect(error).toMatchObject({
			message: refused,
			description: expect.stringContaining('Loop Over Items'),
			code: 'invalid_input',
		});
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		'={{ $json.key ?? "A" }}',
		'={{ $itemIndex === 0 ? "A" : "B" }}',
		'={{ $input.item?.json?.key ?? "A" }}',
		'={{ (() => { try { return $json.key; } catch { return "A"; } })() ?? "A" }}',
		'={{ $("Start").all()[$itemIndex]?.json?.key ?? "A" }}',
	])('is refused however it reads the item: %s', async (apiKey) => {
		const items = phones(3).map((phone) => ({ phone, key: 'B' }));
		const { error } = await runWith(apiKey, items);

		expect(error?.message).toEqual(refused);
		expect(await service.control.requests()).toEqual([]);
	});

	it('is refused where the last item has another key, and the first has none', async () => {
		const items = [...phones(2).map((phone) => ({ phone })), { phone: phones(1)[0], key: 'B' }];
		const { error } = await runWith('={{ $json.key ?? "A" }}', items);
		expect(error?.message).toEqual(refused);
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		`={{ '${PLAYGROUND_API_KEY.slice(0, 3)}' + '${PLAYGROUND_API_KEY.slice(3)}' }}`,
		`={{ $workflow.id ? '${PLAYGROUND_API_KEY}' : '' }}`,
		`={{ $('Start').first().json.key }}`,
	])('is used for all items where it reads none, or a certain one: %s', async (apiKey) => {
		const items = phones(3).map((phone) => ({ phone, key: PLAYGROUND_API_KEY }));
		const { error } = await runWith(apiKey, items);

		expect(error).toBeUndefined();
		expect(await service.control.messages()).toHaveLength(3);
	});

	it('may read the only item', async () => {
		expect((await run(two.slice(0, 1))).error).toBeUndefined();
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('fails each item where the node continues', async () => {
		const { json } = await run(two, continues);

		expect(json).toMatchObject(Array(2).fill({ details: { code: 'invalid_input' } }));
		expect(await service.control.messages()).toEqual([]);
	});

	it('is read twice, however many items there are', async () => {
		const readsOf = async (count: number) =>
			await countCredentialReads(
				async () => await service.sms(phones(count).map((phone) => ({ phone }))),
			);
		const once = await readsOf(1);

		expect(await readsOf(10)).toBe(once + 1);
		expect(await readsOf(100)).toBe(once + 1);
	});
});
