import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const continues = { onError: 'continueRegularOutput' } as const;

/** What reading the numbers of the account comes to with this address in the credential. */
const read = async (baseUrl: unknown) =>
	await service.run(
		'number/getAll',
		{},
		{
			credentials: {
				kudosityBasicApi: { ...service.credentials.kudosityBasicApi, baseUrl: baseUrl as string },
			},
		},
	);

describe('the base URL of a credential', () => {
	it.each([
		['without a slash at its end', '', '/get-numbers.json'],
		['with one', '/', '/get-numbers.json'],
		['with a path', '/kudosity', '/kudosity/get-numbers.json'],
		['with a path and several slashes', '/kudosity///', '/kudosity/get-numbers.json'],
	])('leads to the service %s', async (_, path, asked) => {
		await read(`  ${service.url}${path}`);
		expect(await service.control.requests()).toMatchObject([{ path: asked }]);
	});

	it.each(['http://localhost', 'http://127.8.9.1', 'https://0.0.0.0'])(
		'may be %s',
		async (host) => {
			expect((await read(`${host}:9/${'/'.repeat(200_000)}x`)).error?.code).toBe('unreachable');
		},
	);

	it.each([
		['http to another host', 'http://api.transmitsms.com', 'does not start with https://'],
		['http to a private host', 'http://192.168.0.1', 'does not start with https://'],
		[
			'a host that begins like loopback',
			'http://127.0.0.1.example.com',
			'does not start with https://',
		],
		['a host named like localhost', 'http://localhost.example.com', 'does not start with https://'],
		['another scheme', 'ftp://api.transmitsms.com', 'does not start with https://'],
		['a script', 'javascript:alert(1)', 'does not start with https://'],
		['no address', 'api.transmitsms.com', 'not a valid URL'],
		['nothing', '', 'not a valid URL'],
		['no text', 42, 'not a valid URL'],
		['a user name', 'https://someone@a.example', 'more than a host and a path'],
		['a query', 'https://a.example?x=1', 'more than a host and a path'],
		['a fragment', 'https://a.example#x', 'more than a host and a path'],
	])('may not be %s', async (_, baseUrl, problem) => {
		const { error } = await read(baseUrl);
		expect(error).toMatchObject({
			message: expect.stringMatching(new RegExp(`^'Base URL' in the credential .*${problem}$`)),
			code: 'base_url',
		});
	});
});

describe('an address for the service to deliver to', () => {
	const delivered = async (urls: string[], baseUrl: string) => {
		const fields = { name: 'Hook', url: '={{ $json.url }}', eventTypes: ['OPT_OUT'] };
		const { json } = await service.run('webhook/create', fields, {
			items: urls.map((url) => ({ url })),
			credentials: { kudosityKeyApi: { ...service.credentials.kudosityKeyApi, baseUrl } },
			settings: continues,
		});
		return json.map(({ details }) => (details as { code: string } | undefined)?.code);
	};
	/** No service listens there, so whatever may go out comes to this. */
	const elsewhere = 'https://0.0.0.0:9';

	it('is any that the internet reaches', async () => {
		const urls = [
			'https://n8n.example.com/webhook/x',
			'https://n8n.example.com:8443/webhook/x',
			'https://203.0.113.9/webhook/x',
			'https://172.32.0.1/x',
			'https://100.128.0.1/x',
			'https://[2001:db8::1]/x',
			'https://localhost.example.com/x',
		];
		expect(await delivered(urls, elsewhere)).toEqual(urls.map(() => 'unreachable'));
	});

	it('is none of a private network', async () => {
		const urls = [
			'http://n8n.example.com/webhook/x',
			'https://localhost/x',
			'https://localhost:5678/x',
			'https://localhost./x',
			'https://app.localhost/x',
			'https://127.0.0.1/x',
			'https://0.0.0.0/x',
			'https://10.1.2.3/x',
			'https://172.16.0.1/x',
			'https://192.168.1.20/x',
			'https://169.254.1.1/x',
			'https://100.64.0.1/x',
			'https://[::1]/x',
			'https://[fd00::1]/x',
			'https://[fe80::1]/x',
			'https://n8n/x',
			'https://nas.local/x',
			'https://n8n.cluster.internal/x',
			'no url',
		];
		expect(await delivered(urls, elsewhere)).toEqual(urls.map(() => 'invalid_input'));
		expect(await delivered(['http://localhost:5678/x'], service.url)).toEqual([undefined]);
	});
});
