import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4';

const run = promisify(execFile);

const reportSchema = z.object({
	faults: z.array(z.string()),
	loaded: z.array(z.string()),
	operations: z.number(),
	versions: z.string(),
});
export type LoadReport = z.infer<typeof reportSchema>;

type Host = {
	/** Where the modules come from. */
	project: string;
	temporary: string;
	/** The folders of `project`'s node_modules that the host calls `zod` and `luxon`. */
	zod: 'zod' | 'zod4';
	luxon: 'luxon' | 'luxon34';
};

/**
 * A folder of modules that has only what n8n promises a community package. Outside the repository, since
 * Node.js would otherwise find everything in the repository's own node_modules.
 */
const createHostModules = async ({ project, temporary, zod, luxon }: Host): Promise<string> => {
	const modules = join(temporary, `host-${zod}`, 'node_modules');
	await mkdir(modules, { recursive: true });
	const offered = { 'n8n-workflow': 'n8n-workflow', zod, luxon };
	for (const [name, source] of Object.entries(offered)) {
		await symlink(join(project, 'node_modules', source), join(modules, name), 'dir');
	}
	return modules;
};

/** Loads the unpacked package where n8n-workflow, zod, and luxon are found in the host's modules only. */
export const loadInHost = async (folder: string, host: Host): Promise<LoadReport> => {
	const modules = await createHostModules(host);
	const { stdout } = await run(
		process.execPath,
		[join(import.meta.dirname, 'loadInHost.cjs'), folder],
		{ cwd: folder, env: { PATH: process.env.PATH, NODE_PATH: modules } },
	);
	return reportSchema.parse(JSON.parse(stdout));
};
