import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { choosePort } from '../../playground/n8n/ports.ts';
import { startChildServer } from './childServer.ts';

const run = promisify(execFile);

const debianFolder = '/usr/lib/postgresql';
/** Folders for temporary files can be closed to other users; this one is open on every Debian. */
const openFolder = '/var/tmp';
const role = 'n8n';

const newestBinaries = async (): Promise<string> => {
	const versions = await readdir(debianFolder).catch(() => []);
	const newest = versions.map(Number).sort((a, b) => b - a)[0];
	if (newest === undefined) {
		throw new Error('PostgreSQL is missing: run test/queue/installServers.sh');
	}
	return join(debianFolder, String(newest), 'bin');
};

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
const serverUser = async () => {
	if (userInfo().uid !== 0) return undefined;
	const [uid, gid] = await Promise.all(
		['--user', '--group'].map(async (what) =>
			Number((await run('id', [what, 'postgres'])).stdout.trim()),
		),
	);
	return { name: 'postgres', uid: uid!, gid: gid! };
};

/** A PostgreSQL on a free loopback port with a data folder of its own, and an empty database in it. */
export const startPostgres = async () => {
	const binaries = await newestBinaries();
	const user = await serverUser();
	const folder = await mkdtemp(join(openFolder, 'kudosity-postgres-'));
	const data = join(folder, 'data');
	const port = await choosePort();
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', role];
	if (user) await chown(folder, user.uid, user.gid);
	await run(
		join(binaries, 'initdb'),
		['-D', data, '-U', role, '--auth=trust', '--encoding=UTF8', '--no-sync'],
		{ cwd: folder, ...(user && { uid: user.uid, gid: user.gid }) },
	);
	const server = await startChildServer({
		command: [
			join(binaries, 'postgres'),
			...['-D', data, '-p', String(port), '-k', ''],
			...['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'max_connections=200'],
		],
		user: user?.name,
		folder,
		logFile: join(folder, 'postgres.log'),
		isReady: async () =>
			await run(join(binaries, 'pg_isready'), address).then(
				() => true,
				() => false,
			),
	});
	await run(join(binaries, 'createdb'), [...address, role]);
	return {
		port,
		database: role,
		user: role,
		/** The rows of a query, each a list of texts. */
		query: async (sql: string): Promise<string[][]> => {
			const flags = ['--no-align', '--tuples-only', '--field-separator=\t', '--no-psqlrc'];
			const { stdout } = await run(
				join(binaries, 'psql'),
				[...address, ...flags, '-d', role, '-c', sql],
				{ maxBuffer: 2 ** 28 },
			);
			return stdout
				.split('\n')
				.filter((line) => line !== '')
				.map((line) => line.split('\t'));
		},
		stop: async () => {
			await server.end('SIGQUIT');
			await rm(folder, { recursive: true, force: true });
		},
	};
};

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;
