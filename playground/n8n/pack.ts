import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from './command.ts';
import { npmCommand, npmEnvironment } from './npm.ts';

export const packageName = 'n8n-nodes-kudosity-messaging';
export const projectFolder = resolve(import.meta.dirname, '../..');

const sources = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
/** `tsc` writes it in every build; copied assets keep the time of their source. */
const buildResult = 'dist/nodes/Kudosity/Kudosity.node.js';

/** The newest change in a file or a folder tree; folders count too, since a deleted file changes only them. */
const newestChange = async (path: string): Promise<number> => {
	if (!existsSync(path)) return 0;
	const { mtimeMs } = await stat(path);
	const entries = (await stat(path)).isDirectory() ? await readdir(path) : [];
	return Math.max(
		mtimeMs,
		...(await Promise.all(entries.map((entry) => newestChange(join(path, entry))))),
	);
};

export const isBuildFresh = async (folder: string = projectFolder): Promise<boolean> => {
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

type PackageOptions = { userFolder: string; signal?: AbortSignal };

/**
 * Puts this package into n8n's folder of community packages, exactly as it would come from the registry:
 * built if the sources are newer, packed, and unpacked in place of a former one.
 */
export const installPackage = async ({ userFolder, signal }: PackageOptions): Promise<void> => {
	const temporary = await mkdtemp(join(tmpdir(), 'kudosity-pack-'));
	const logFile = join(temporary, 'pack.log');
	try {
		if (!(await isBuildFresh())) await run(projectFolder, ['run', 'build'], logFile, signal);
		await run(projectFolder, ['pack', '--pack-destination', temporary], logFile, signal);
		const tarball = (await readdir(temporary)).find((name) => name.endsWith('.tgz'));
		if (tarball === undefined) throw new Error('npm pack made no tarball');
		const target = join(userFolder, '.n8n', 'nodes', 'node_modules', packageName);
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		await runCommand({
			file: 'tar',
			args: ['-xzf', join(temporary, tarball), '--strip-components=1', '-C', target],
			folder: temporary,
			logFile,
			signal,
		});
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
};
