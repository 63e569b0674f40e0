import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { choosePort } from '../../../playground/n8n/ports.ts';

const occupy = async (host: string) => {
	const server = createServer().listen(0, host);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { port, free: async () => await once(server.close(), 'close') };
};

describe('choosePort', () => {
	it('takes the preferred port when it is free', async () => {
		const { port, free } = await occupy('127.0.0.1');
		await free();
		expect(await choosePort(port)).toBe(port);
	});

	it.each(['127.0.0.1', '0.0.0.0'])('takes another one when %s has it', async (host) => {
		const { port, free } = await occupy(host);
		const chosen = await choosePort(port);
		await free();
		expect(chosen).not.toBe(port);
		expect(chosen).toBeGreaterThan(1023);
	});

	it('finds one that the system does not give to somebody else meanwhile', async () => {
		const chosen = await choosePort();
		expect(chosen).toBeGreaterThan(1023);
		expect(chosen).toBeLessThan(32_768);
	});

	it('chooses none twice, although nobody listens yet', async () => {
		const chosen = new Set<number>();
		for (let count = 0; count < 400; count++) chosen.add(await choosePort());
		expect(chosen.size).toBe(400);
	});
});
