import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';

const projectFolder = resolve(import.meta.dirname, '../..');

export const packageJson = JSON.parse(
	await readFile(join(projectFolder, 'package.json'), 'utf8'),
) as { repository: object; n8n: { credentials: string[]; nodes: string[] } };

const load = async <Instance>(built: string[]): Promise<Instance[]> =>
	await Promise.all(
		built.map(async (path) => {
			const source = path.replace(/^dist\//, '').replace(/\.js$/, '.ts');
			const [loaded] = Object.values(await import(join(projectFolder, source)));
			return new (loaded as new () => Instance)();
		}),
	);

/** All that package.json tells n8n to load, from the sources. */
export const credentials = await load<ICredentialType>(packageJson.n8n.credentials);
export const nodes = await load<INodeType>(packageJson.n8n.nodes);
