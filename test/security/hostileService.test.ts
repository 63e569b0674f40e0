import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createControl } from '../../playground/emulator/control/client.ts';
import { startEmulator, type Emulator } from '../../playground/emulator/server.ts';
import { useEmulator } from '../engine/emulator.ts';

const service = useEmulator();

let elsewhere: Emulator;
beforeAll(async () => {
	elsewhere = await startEmulator();
});
afterAll(async () => await elsewhere.close());

const operations: Record<string, Record<string, unknown>> = {
	'sms/send': {
		message: 'Hello',
		sender: 'Acme',
		recipient: '61491570156',
		options: { onOutcomeUnknown: 'fail' },
	},
	'bulkSms/send': { message: 'Hello', sender: 'Acme', recipients: '61491570156', options: {} },
	'number/getAll': { filter: 'owned', returnAll: true },
	'webhook/getAll': { returnAll: true },
};

const run = async (name: string, credentials = service.credentials) =>
	await service.run(name, operations[name], { credentials });

describe('a redirect to another host', () => {
	it.each(
		[301, 302, 303, 307, 308].flatMap((status) =>
			Object.keys(operations).map((name) => [status, name] as const),
		),
	)('(%d) gets neither key nor message from %s', async (status, name) => {
		const location = `${elsewhere.url}/v2/sms`;
		await service.control.addFault({ fault: 'redirect', status, location });
		const { error } = await run(name);

		expect(error?.message).toBe('The base URL redirects to another address');
		expect(await createControl(elsewhere.url).requests()).toEqual([]);
		expect(await service.control.requests()).toHaveLength(1);
	});
});

describe('a base URL that points inward', () => {
	it.each([
		'http://169.254.169.254/latest',
		'http://10.0.0.1',
		'http://192.168.0.10:8080',
		'http://[fd00::1]',
		'http://metadata.internal',
		'http://localhost.example.com',
		'http://127.0.0.1.example.com',
		'https://api.transmitsms.com@example.com',
		'https://example.com/?next=',
		'file:///etc/passwd',
		'ftp://example.com',
		'javascript:alert(1)',
		'//example.com',
		'',
	])('is refused before a key is sent: %j', async (baseUrl) => {
		for (const name of ['sms/send', 'bulkSms/send']) {
			const { error } = await run(name, {
				kudosityKeyApi: { apiKey: 'some-key', baseUrl },
				kudosityBasicApi: { apiKey: 'some-key', apiSecret: 'some-secret', baseUrl },
			});
			expect(error?.message).toMatch(/^'Base URL' in the credential /);
		}
	});
});

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
const page = '"page":{"count":1,"number":1},"numbers_total":1';

type Bomb = {
	name: string;
	body: string;
	/** What a read finds in it, by its operation; a failure for all others. */
	readable?: Record<string, object[]>;
};

/** An object is an answer without webhooks. */
const webhooks = { 'webhook/getAll': [] };

const bombs: Bomb[] = [
	{ name: 'nested 100,000 levels deep', body: nested(100_000) },
	{
		name: 'nested deep in a field',
		body: `{${page},"numbers":[{"number":1,"deep":${nested(100_000)}}]}`,
	},
	{
		name: 'with keys of prototypes',
		body: `{${page},"numbers":[{"number":1,"__proto__":{"polluted":1}}]}`,
		readable: { ...webhooks, 'number/getAll': [{ number: '1' }] },
	},
	{
		name: 'that is a prototype',
		body: '{"__proto__":{"error":{"code":"SUCCESS"},"polluted":1}}',
		readable: webhooks,
	},
	{
		name: 'with numbers beyond measure',
		body: `{${page},"numbers":[{"number":1e400,"price":-1e999}]}`,
		readable: { ...webhooks, 'number/getAll': [{ number: null, price: null }] },
	},
	{ name: 'of 9 MB', body: `{"padding":"${'x'.repeat(9_000_000)}"}`, readable: webhooks },
	{
		name: 'with a hundred thousand records',
		body: `{${page},"numbers":[${'1,'.repeat(100_000)}1]}`,
		readable: webhooks,
	},
	{
		name: 'with pages without end',
		body: `{"page":{"count":1e15,"number":1},"numbers_total":1,"numbers":[]}`,
		readable: webhooks,
	},
	{
		name: 'with negative pages',
		body: `{"page":{"count":-5,"number":-7},"numbers_total":1,"numbers":[]}`,
		readable: { ...webhooks, 'number/getAll': [] },
	},
	{ name: 'that is null', body: 'null' },
	{ name: 'that is a number', body: '1e309' },
	{ name: 'of broken surrogates', body: '"\\ud800"' },
];

const unreadable = (operation: string) =>
	operation.endsWith('send')
		? 'Kudosity did not confirm the request (unreadable response): it may have gone through'
		: 'Kudosity sent a response that could not be read';

describe('an answer', () => {
	it.each(
		bombs.flatMap((bomb) =>
			Object.keys(operations).map((operation) => [bomb.name, operation, bomb] as const),
		),
	)('%s is a readable error or plain items in %s', async (_, operation, { body, readable }) => {
		const items = readable?.[operation];
		const headers = { 'content-type': 'application/json' };
		await service.control.addFault({
			fault: 'custom',
			status: 200,
			body,
			headers,
			match: { count: 'forever' },
		});
		const { error, json } = await run(operation);

		expect({}).not.toHaveProperty('polluted');
		expect(error?.message).toBe(items ? undefined : unreadable(operation));
		// n8n stores what leaves the node as JSON.
		expect(JSON.parse(JSON.stringify(json))).toEqual(items ?? []);
		expect((await service.control.requests()).length).toBeLessThan(10);
	});
});
