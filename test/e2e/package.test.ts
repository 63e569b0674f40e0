import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../playground/emulator/model.ts';
import { startPlayground, type Playground } from './harness.ts';
import { kudosityTriggerType, kudosityType } from './workflow.ts';

let playground: Playground;

beforeAll(async () => {
	playground = await startPlayground();
});

afterAll(async () => await playground.stop());

describe('the package in n8n', () => {
	it('offers both nodes under the names of an installed community package, and one as a tool for agents', async () => {
		const names = (await playground.rest.nodeTypes()).map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining([kudosityType, kudosityTriggerType, `${kudosityType}Tool`]),
		);
	});

	it('offers both credential types', async () => {
		const names = (await playground.rest.credentialTypes()).map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['kudosityBasicApi', 'kudosityKeyApi']));
	});
});

describe.each(['kudosityBasicApi', 'kudosityKeyApi'])('the test of %s', (type) => {
	const test = async (apiKey: string) =>
		await playground.rest.testCredential(type, {
			apiKey,
			apiSecret: PLAYGROUND_API_SECRET,
			baseUrl: playground.emulator.url,
		});

	it('accepts the right key', async () => {
		expect(await test(PLAYGROUND_API_KEY)).toMatchObject({ status: 'OK' });
	});

	it('says that a wrong key was not accepted', async () => {
		const { status, message } = await test('another-key');
		expect(status).toBe('Error');
		expect(message).toMatch(/did not accept this key.*API Settings/);
	});
});

describe('a workflow', () => {
	it('cleans phone numbers without any credential', async () => {
		const before = await playground.control.requests();
		const { status, nodes } = await playground.run(
			[{ phone: '0491 570 006\r', name: 'Ana' }, { phone: 'n/a' }, { phone: '61491570006.0' }],
			playground.kudosity(
				{
					resource: 'phoneNumber',
					operation: 'clean',
					phoneNumber: '={{ $json.phone }}',
					defaultCountry: 'AU',
					options: {},
				},
				{ credentials: {} },
			),
		);
		expect(status).toBe('success');
		expect(nodes.Kudosity?.items.map(({ json }) => json)).toMatchObject([
			{ name: 'Ana', cleaned: { number: '61491570006', isValid: true, isDuplicate: false } },
			{ phone: 'n/a', cleaned: { number: null, isValid: false, reason: expect.any(String) } },
			{ cleaned: { number: '61491570006', isDuplicate: true } },
		]);
		expect(await playground.control.requests()).toEqual(before);
	});
});
