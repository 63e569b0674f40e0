import { describe, expect, it } from 'vitest';
import { n8nEnvironment } from '../../../playground/n8n/environment.ts';

const settings = {
	nodeBinary: '/cache/node/bin/node',
	version: '2.41.1',
	userFolder: '/data',
	port: 5700,
	brokerPort: 5701,
};

describe("n8n's environment", () => {
	it("ignores the user's own n8n and tool settings, and keeps the rest", () => {
		const outer = {
			HOME: '/home/sam',
			PATH: '/usr/bin',
			N8N_ENCRYPTION_KEY: 'of another n8n',
			DB_POSTGRESDB_HOST: 'db.example',
			WEBHOOK_URL: 'https://n8n.example',
			NODE_OPTIONS: '--inspect',
			NODE_ENV: 'test',
			VITEST: 'true',
			npm_config_prefix: '/elsewhere',
		};
		const environment = n8nEnvironment(settings, outer);
		expect(environment).toMatchObject({
			HOME: '/home/sam',
			DB_TYPE: 'sqlite',
			NODE_ENV: 'production',
		});
		for (const name of [
			'N8N_ENCRYPTION_KEY',
			'DB_POSTGRESDB_HOST',
			'WEBHOOK_URL',
			'NODE_OPTIONS',
		]) {
			expect(environment).not.toHaveProperty(name);
		}
		expect(environment).not.toHaveProperty('VITEST');
		expect(environment).not.toHaveProperty('npm_config_prefix');
	});

	it("puts n8n's Node.js first on the path, for the task runner", () => {
		const { PATH } = n8nEnvironment(settings, { PATH: '/usr/bin' });
		expect(PATH).toBe('/cache/node/bin:/usr/bin');
	});

	it('listens on the loopback address only', () => {
		expect(n8nEnvironment(settings, {})).toMatchObject({
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: '5700',
			N8N_RUNNERS_BROKER_PORT: '5701',
		});
	});

	it('names the webhook address as each major version knows it', () => {
		const url = 'http://127.0.0.1:5700/';
		expect(n8nEnvironment(settings, {})).toMatchObject({ N8N_WEBHOOK_URL: url });
		expect(n8nEnvironment({ ...settings, version: '1.123.81' }, {})).toMatchObject({
			WEBHOOK_URL: url,
		});
	});
});
