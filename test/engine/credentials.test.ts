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
			message: 'The credential has an expression that is not the same for all items',
			description: expect.stringContaining('Loop Over Items'),
			code: 'invalid_input',
		});
		expect(await service.control.messages()).toEqual([]);
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

	it('costs one more look at the credential, and none for a single item', async () => {
		const readsOf = async (count: number) =>
			await countCredentialReads(async () => await run(Array(count).fill(PLAYGROUND_API_KEY)));

		expect(await readsOf(10)).toBe((await readsOf(1)) + 1);
	});
});
