import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { choosePort } from '../../../playground/n8n/ports.ts';

const servers: Server[] = [];

const occupy = async (host: string): Promise<number> => {
	const server = createServer();
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No address');
	return address.port;
};

const closeAll = async () => {
	const closing = servers
		.splice(0)
		.map((server) => new Promise((resolve) => server.close(resolve)));
	await Promise.all(closing);
};

afterEach(closeAll);

describe('choosePort', () => {
	it('takes the preferred port when it is free', async () => {
		const port = await occupy('127.0.0.1');
		await closeAll();
		expect(await choosePort(port)).toBe(port);
	});

	it.each(['127.0.0.1', '0.0.0.0'])(
		'takes another one when a server on %s has it',
		async (host) => {
			const taken = await occupy(host);
			const chosen = await choosePort(taken);
			expect(chosen).not.toBe(taken);
			expect(chosen).toBeGreaterThan(0);
		},
	);

	it('finds one that the system does not give to somebody else meanwhile', async () => {
		const chosen = await choosePort();
		expect(chosen).toBeGreaterThan(1023);
		expect(chosen).toBeLessThan(32_768);
	});
});
