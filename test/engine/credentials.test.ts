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

	it('is refused where it differs among the items, which would all use the first account', async () => {
		const { error } = await run(two);

		expect(error).toMatchObject({
			message: 'The credential contains an expression that differs between items',
			description: expect.stringContaining('Loop Over Items'),
			code: 'invalid_input',
		});
		expect(await service.control.messages()).toEqual([]);
	});

	it.each([
		['in the middle', [0, 1, 0]],
		['for the last of many', [...Array<number>(120).fill(0), 1]],
	])('is refused where it differs %s', async (_, keys) => {
		const { error } = await run(keys.map((key) => two[key]!));

		expect(error?.message).toContain('differs between items');
		expect(await service.control.messages()).toEqual([]);
	});

	it.each([
		'={{ $json?.key ?? "A" }}',
		'={{ $itemIndex === 1 ? "B" : "A" }}',
		'={{ $input.item?.json?.key ?? "A" }}',
		'={{ (() => { try { return $json.key; } catch { return "A"; } })() ?? "A" }}',
		'={{ $("Start").all()[$itemIndex]?.json?.key ?? "A" }}',
	])('is refused however it depends on the item: %s', async (apiKey) => {
		const items = [{}, { key: 'B' }, {}].map((each) => ({ ...each, phone: phones(1)[0] }));
		const kudosityKeyApi = { apiKey, baseUrl: service.url };
		const { error } = await service.sms(items, {}, { credentials: { kudosityKeyApi } });

		expect(error?.message).toContain('differs between items');
		expect(await service.control.requests()).toEqual([]);
	});

	it('fails each item where the node continues', async () => {
		const { json } = await run(two, continues);

		expect(json).toMatchObject(Array(2).fill({ details: { code: 'invalid_input' } }));
		expect(await service.control.messages()).toEqual([]);
	});

	it('is used where it is the same for all items', async () => {
		const { error } = await run([PLAYGROUND_API_KEY, PLAYGROUND_API_KEY]);

		expect(error).toBeUndefined();
		expect(await service.control.messages()).toHaveLength(2);
	});

	it('is looked at for each item, and one without an expression once more', async () => {
		const many = Array<string>(10).fill(PLAYGROUND_API_KEY);
		const readsOf = async (task: () => Promise<unknown>) => await countCredentialReads(task);
		const items = phones(10).map((phone) => ({ phone }));
		const once = await readsOf(async () => await service.sms(items.slice(0, 1)));

		expect(await readsOf(async () => await service.sms(items))).toBe(once + 1);
		expect(await readsOf(async () => await run(many))).toBe(once + 9);
	});
});
