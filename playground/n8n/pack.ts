import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npmCommand, npmEnvironment, runCommand } from './command.ts';

export const packageName = 'n8n-nodes-kudosity-messaging';
export const projectFolder = resolve(import.meta.dirname, '../..');

const sources = ['nodes', 'credentials', 'icons', 'package.json', 'gulpfile.js', 'tsconfig.json'];
/** Written by every build. */
const buildResult = 'dist/nodes/Kudosity/Kudosity.node.js';

/** The latest change in a file or folder tree, including folders, because deleting a file only changes its folder. */
const newestChange = async (path: string): Promise<number> => {
	if (!existsSync(path)) return 0;
	const { mtimeMs } = await stat(path);
	const entries = (await stat(path)).isDirectory() ? await readdir(path) : [];
	return Math.max(
		mtimeMs,
		...(await Promise.all(entries.map((entry) => newestChange(join(path, entry))))),
	);
};

const isBuildFresh = async (folder: string = projectFolder): Promise<boolean> => {
	const builtAt = await newestChange(join(folder, buildResult));
	const changes = await Promise.all(sources.map((source) => newestChange(join(folder, source))));
	return builtAt > Math.max(...changes);
};

const run = async (folder: string, args: string[], logFile: string, signal?: AbortSignal) =>
	await runCommand({
		...npmCommand(args),
		folder,
		environment: npmEnvironment(),
		logFile,
		signal,
	});

type PackageOptions = {
	userFolder: string;
	/** Default: `KUDOSITY_TARBALL`, or if that is not set, the packed sources. */
	tarball?: string;
	signal?: AbortSignal;
};

/** Packs the sources as for the registry, after building them if they are newer than the build. */
export const packSources = async (folder: string, signal?: AbortSignal): Promise<string> => {
	const logFile = join(folder, 'pack.log');
	if (!(await isBuildFresh())) await run(projectFolder, ['run', 'build'], logFile, signal);
	await run(projectFolder, ['pack', '--pack-destination', folder], logFile, signal);
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (tarball === undefined) throw new Error('npm pack created no tarball');
	return join(folder, tarball);
};

/**
 * Installs this package into n8n's community package folder exactly as from the registry, replacing any earlier
 * version.
 */
export const installPackage = async (options: PackageOptions): Promise<void> => {
	const { userFolder, signal } = options;
	const temporary = await mkdtemp(join(tmpdir(), 'kudosity-pack-'));
	const logFile = join(temporary, 'tar.log');
	try {
		const packed = options.tarball ?? process.env.KUDOSITY_TARBALL;
		const tarball = packed || (await packSources(temporary, signal));
		const target = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		const args = ['-xzf', tarball, '--strip-components=1', '-C', target];
		await runCommand({ file: 'tar', args, folder: temporary, logFile, signal });
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
};
