import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Tries to listen on the port. */
const canListen = (port: number, host?: string): Promise<boolean> =>
	new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
	});

/** A port can be free on the loopback address but taken by a server on all addresses. */
const isFree = async (port: number): Promise<boolean> =>
	(await canListen(port)) && (await canListen(port, '127.0.0.1'));

/** Outside of the system's ephemeral range, so that no other program gets the port before it is used. */
const portRange = [20_000, 32_000] as const;

/**
 * Holds the UDP port with the same number until this process ends, so that no other process chooses the port before
 * somebody listens on it. Nothing else here uses UDP.
 */
const reserve = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = createSocket('udp4');
		socket.once('error', () => resolve(false));
		socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
			socket.unref();
			resolve(true);
		});
	});

/** Returns the preferred port if it is free, otherwise another one that no running process has chosen. */
export const choosePort = async (preferred?: number): Promise<number> => {
	if (preferred !== undefined && (await isFree(preferred))) return preferred;
	for (let tries = 0; tries < 100; tries++) {
		const port = randomInt(...portRange);
		if ((await reserve(port)) && (await isFree(port))) return port;
	}
	throw new Error('No free port on 127.0.0.1');
};
