import { createServer } from 'node:net';

/** Listens for a moment; resolves to the port, or to undefined when it is taken. */
const tryPort = (port: number, host?: string): Promise<number | undefined> =>
	new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen({ port, host, exclusive: true }, () => {
			const address = server.address();
			const found = typeof address === 'object' && address !== null ? address.port : undefined;
			server.close(() => resolve(found));
		});
	});

/** A port can be free on the loopback address and yet taken by a server on all addresses. */
const isFree = async (port: number): Promise<boolean> =>
	(await tryPort(port)) === port && (await tryPort(port, '127.0.0.1')) === port;

/** The preferred port where it is free, otherwise one that the system chooses. */
export const choosePort = async (preferred?: number): Promise<number> => {
	if (preferred !== undefined && (await isFree(preferred))) return preferred;
	const chosen = await tryPort(0, '127.0.0.1');
	if (chosen === undefined) throw new Error('No free port on 127.0.0.1');
	return chosen;
};
