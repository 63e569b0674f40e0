import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../playground/emulator/server.ts';
import { createControl } from '../../playground/emulator/control/client.ts';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { installPackage } from '../../playground/n8n/pack.ts';
import { ensureCredentials } from '../../playground/n8n/setUp.ts';
import { createRest } from '../../playground/n8n/rest/index.ts';
import { currentN8n, type N8nVersion } from '../../playground/n8n/versions.ts';
import { lazySandboxes } from '../helpers/lazySandboxes.ts';
import { startLoadBalancer } from './loadBalancer.ts';
import { startN8nProcess, type N8nCommand, type N8nProcess } from './n8nProcess.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { startRedis, type Redis } from './redis.ts';

/** So many executions at once in each worker: twice as many make sure that both work. */
export const workerConcurrency = 5;

/** n8n notices a lost worker by its lock: shortened, or the tests would wait a minute and a half. */
const quickStallDetection = {
	QUEUE_WORKER_LOCK_DURATION: '8000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

type Servers = { redis: Redis; postgres: Postgres; publicUrl: string; encryptionKey: string };

type Options = {
	version?: N8nVersion;
	/** Wins over what the tests set. */
	environment?: NodeJS.ProcessEnv;
};

const queueEnvironment = ({ redis, postgres, publicUrl, encryptionKey }: Servers) => ({
	...quickStallDetection,
	...lazySandboxes,
	EXECUTIONS_MODE: 'queue',
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_DATABASE: postgres.database,
	DB_POSTGRESDB_USER: postgres.user,
	DB_POSTGRESDB_PASSWORD: '',
	N8N_ENCRYPTION_KEY: encryptionKey,
	N8N_WEBHOOK_URL: `${publicUrl}/`,
	// The name it has in n8n 1.
	WEBHOOK_URL: `${publicUrl}/`,
	N8N_LOG_LEVEL: 'info',
});

/** Stops in the opposite order of starting, all of them, and only then reports what went wrong. */
const createCleanup = () => {
	const tasks: Array<() => Promise<void>> = [];
	return {
		add: (task: () => Promise<void>) => void tasks.unshift(task),
		run: async () => {
			const failures: unknown[] = [];
			for (const task of tasks.splice(0)) await task().catch((error) => failures.push(error));
			if (failures.length > 0) throw new AggregateError(failures, 'Not everything stopped');
		},
	};
};

type Cleanup = ReturnType<typeof createCleanup>;

const prepareFolders = async (base: string) => {
	const first = join(base, 'package');
	await mkdir(first);
	await installPackage({ userFolder: first });
	return async (name: string) => {
		const folder = join(base, name);
		await cp(first, folder, { recursive: true });
		return folder;
	};
};

const start = async (cleanup: Cleanup, options: Options) => {
	const { version = currentN8n } = options;
	const installation = await ensureN8n({ version });
	const base = await mkdtemp(join(tmpdir(), 'kudosity-queue-'));
	cleanup.add(async () => await rm(base, { recursive: true, force: true }));
	const folderFor = await prepareFolders(base);
	const redis = await startRedis();
	cleanup.add(redis.stop);
	const postgres = await startPostgres();
	cleanup.add(postgres.stop);
	const emulator = await startEmulator();
	cleanup.add(emulator.close);
	const balancer = await startLoadBalancer();
	cleanup.add(balancer.stop);

	const encryptionKey = randomBytes(16).toString('hex');
	const environment = {
		...queueEnvironment({ redis, postgres, publicUrl: balancer.url, encryptionKey }),
		...options.environment,
	};
	let started = 0;
	const launch = async (command: N8nCommand): Promise<N8nProcess> => {
		const userFolder = await folderFor(`${command}-${++started}`);
		const args = command === 'worker' ? [`--concurrency=${workerConcurrency}`] : [];
		const process = await startN8nProcess({ installation, command, args, userFolder, environment });
		cleanup.add(process.stop);
		return process;
	};
	// The first to start prepares the database.
	const main = await launch('start');
	const [webhook, ...workers] = await Promise.all([
		launch('webhook'),
		launch('worker'),
		launch('worker'),
	]);
	balancer.useUpstreams([main.port, webhook.port]);
	const rest = createRest(main.url);
	await rest.signIn();
	return {
		...{ redis, postgres, emulator, balancer, main, webhook, workers, rest, launch },
		control: createControl(emulator.url),
		credentials: await ensureCredentials(rest, emulator.url),
		stop: cleanup.run,
	};
};

/**
 * n8n as users run it who outgrew one machine: a main process, a process for webhooks and two workers, on
 * Redis and PostgreSQL, behind a load balancer. Each has the packed package in a folder of its own.
 */
export const startQueueMode = async (options: Options = {}) => {
	const cleanup = createCleanup();
	try {
		return await start(cleanup, options);
	} catch (error) {
		await cleanup.run().catch(() => undefined);
		throw error;
	}
};

export type QueueMode = Awaited<ReturnType<typeof startQueueMode>>;
