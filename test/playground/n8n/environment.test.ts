import { describe, expect, it } from 'vitest';
import { n8nEnvironment } from '../../../playground/n8n/launch.ts';

const settings = {
	folder: '/cache/n8n',
	nodeBinary: '/cache/node/bin/node',
	version: '2.41.1',
	userFolder: '/data',
	port: 5700,
	brokerPort: 5701,
};
const url = 'http://127.0.0.1:5700/';

describe("n8n's environment", () => {
	it("ignores the user's own n8n and tool settings, and keeps the rest", () => {
		const ignored = {
			N8N_ENCRYPTION_KEY: 'of another n8n',
			DB_POSTGRESDB_HOST: 'db.example',
			WEBHOOK_URL: 'https://n8n.example',
			NODE_OPTIONS: '--inspect',
			VITEST: 'true',
			npm_config_prefix: '/elsewhere',
		};
		const outer = { HOME: '/home/sam', PATH: '/usr/bin', NODE_ENV: 'test', ...ignored };
		const environment = n8nEnvironment(settings, outer);
		expect(environment).toMatchObject({
			HOME: '/home/sam',
			DB_TYPE: 'sqlite',
			NODE_ENV: 'production',
		});
		expect(Object.keys(environment).filter((name) => name in ignored)).toEqual([]);
	});

	it('listens on the loopback address only, with its own Node.js first on the path', () => {
		expect(n8nEnvironment(settings, { PATH: '/usr/bin' })).toMatchObject({
			PATH: '/cache/node/bin:/usr/bin',
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: '5700',
			N8N_RUNNERS_BROKER_PORT: '5701',
		});
	});

	it.each([
		['2.41.1', { N8N_WEBHOOK_URL: url }],
		['1.123.81', { WEBHOOK_URL: url }],
	])('names the webhook address as n8n %s knows it', (version, expected) => {
		expect(n8nEnvironment({ ...settings, version }, {})).toMatchObject(expected);
	});
});
