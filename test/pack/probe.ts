import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';

const folder = 'nodes/Kudosity';

/**
 * Builds the endpoints and the parser of events as modules of their own, since the package has them in files
 * that show only what the nodes load.
 */
export const buildProbe = async (project: string, target: string): Promise<void> => {
	const endpoints = await readdir(join(project, folder, 'api/endpoints'));
	const names = [
		...endpoints.map((file) => `api/endpoints/${basename(file, '.ts')}`),
		'events/parseEvent',
	];
	const bundle = await rolldown({
		cwd: project,
		input: Object.fromEntries(names.map((name) => [name, `./${folder}/${name}.ts`])),
		external: ['n8n-workflow', 'zod/v4'],
		platform: 'node',
	});
	await bundle.write({ dir: target, format: 'cjs', entryFileNames: '[name].js' });
};
