import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4';

const run = promisify(execFile);

const manifestSchema = z.looseObject({
	name: z.string(),
	version: z.string(),
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});

export type Tarball = {
	/** Where the package lies unpacked. */
	folder: string;
	manifest: z.infer<typeof manifestSchema>;
	/** Every file, relative to `folder`, with slashes. */
	paths: string[];
	unpackedBytes: number;
};

const listFiles = async (folder: string): Promise<string[]> => {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => !entry.isDirectory())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
		.sort();
};

/** Packs the project as `npm publish` would, and unpacks it below `temporary`. */
export const packAndUnpack = async (project: string, temporary: string): Promise<Tarball> => {
	await run('npm', ['pack', '--silent', '--pack-destination', temporary], { cwd: project });
	const file = (await readdir(temporary)).find((name) => name.endsWith('.tgz'));
	if (file === undefined) throw new Error('npm pack made no tarball');
	const folder = join(temporary, 'package');
	await mkdir(folder);
	await run('tar', ['-xzf', join(temporary, file), '--strip-components=1', '-C', folder]);

	const paths = await listFiles(folder);
	const sizes = await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).size));
	const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	return {
		folder,
		manifest: manifestSchema.parse(manifest),
		paths,
		unpackedBytes: sizes.reduce((sum, size) => sum + size, 0),
	};
};
