import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Contents of all files below `folder` whose names end with `ending`, by path from the project root. */
export const projectFiles = (folder: string, ending: string): Record<string, string> => {
	const entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
	const paths = entries
		.filter((entry) => entry.endsWith(ending))
		.map((entry) => `${folder}/${entry}`);
	return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
};
