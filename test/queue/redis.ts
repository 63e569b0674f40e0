import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choosePort } from '../../playground/n8n/ports.ts';
import { startChildServer } from './childServer.ts';

/** Whether a Redis at this port has loaded its data and takes commands. */
const isAnswering = (port: number): Promise<boolean> =>
	new Promise((resolve) => {
		const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
		const settle = (isReady: boolean) => {
			socket.destroy();
			resolve(isReady);
		};
		socket.once('error', () => settle(false));
		socket.once('data', (answer) => settle(answer.toString().startsWith('+PONG')));
		socket.setTimeout(1000, () => settle(false));
	});

/**
 * A Redis on a free loopback port with a data folder of its own. Its append-only file is on, because Redis would
 * otherwise forget its jobs in a restart. It is written with each change: by default, Redis delays it by up to two
 * seconds on a busy disk, and a crash loses that time.
 */
export const startRedis = async () => {
	const folder = await mkdtemp(join(tmpdir(), 'kudosity-redis-'));
	const port = await choosePort();
	const start = async () =>
		await startChildServer({
			command: [
				'redis-server',
				...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
				...['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''],
			],
			folder,
			logFile: join(folder, 'redis.log'),
			isReady: async () => await isAnswering(port),
		});
	let server = await start();
	return {
		port,
		/** Ends Redis as a crash would, and starts it again on its data after the outage. */
		crash: async ({ outageMs }: { outageMs: number }) => {
			await server.end('SIGKILL');
			await sleep(outageMs);
			server = await start();
		},
		stop: async () => {
			await server.end('SIGKILL');
			await rm(folder, { recursive: true, force: true });
		},
	};
};

export type Redis = Awaited<ReturnType<typeof startRedis>>;
