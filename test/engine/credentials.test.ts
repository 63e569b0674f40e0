import { describe, expect, it } from 'vitest';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import { continues, useEmulator } from './emulator.ts';
import { countCredentialReads } from './harness.ts';

const service = useEmulator();

const [ana, ben] = ['61491570006', '61491570156'];

const run = async (apiKeys: string[], settings: object = {}) => {
	const kudosityKeyApi = { apiKey: '={{ $json.apiKey }}', baseUrl: service.url };
	return await service.run(
		'sms/send',
		{ message: 'Hello', sender: 'Acme', recipient: '={{ $json.phone }}' },
		{
			items: apiKeys.map((apiKey, item) => ({ apiKey, phone: item === 0 ? ana : ben })),
			credentials: { kudosityKeyApi },
			settings,
		},
	);
};

describe('a credential that has an expression', () => {
	it('is refused where it differs among the items, which would all use the first account', async () => {
		const { error } = await run([PLAYGROUND_API_KEY, 'key-of-another-account']);

		expect(error).toMatchObject({
			message: 'The credential has an expression that is not the same for all items',
			description: expect.stringContaining('Loop Over Items'),
			code: 'invalid_input',
		});
		expect(await service.control.messages()).toEqual([]);
	});

	it('fails each item where the node continues', async () => {
		const { json } = await run([PLAYGROUND_API_KEY, 'key-of-another-account'], continues);

		expect(json).toHaveLength(2);
		for (const item of json) expect(item).toMatchObject({ details: { code: 'invalid_input' } });
		expect(await service.control.messages()).toEqual([]);
	});

	it('is used where it is the same for all items', async () => {
		const { error } = await run([PLAYGROUND_API_KEY, PLAYGROUND_API_KEY]);

		expect(error).toBeUndefined();
		expect(await service.control.messages()).toHaveLength(2);
	});

	it('costs one more look at the credential, and none for a single item', async () => {
		const one = await countCredentialReads(async () => await run([PLAYGROUND_API_KEY]));
		const many = await countCredentialReads(
			async () => await run(Array.from({ length: 10 }, () => PLAYGROUND_API_KEY)),
		);

		expect(many).toBe(one + 1);
	});
});
