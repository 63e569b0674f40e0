import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from './projectFiles.ts';

const root = join(import.meta.dirname, '../..');

/** The project's documents, by path from the project root. */
export const documents: Record<string, string> = {
	...Object.fromEntries(
		readdirSync(root)
			.filter((name) => name.endsWith('.md'))
			.map((name) => [name, readFileSync(join(root, name), 'utf8')]),
	),
	...projectFiles('docs', '.md'),
	...projectFiles('examples', '.md'),
	'test/bench/README.md': readFileSync(join(root, 'test/bench/README.md'), 'utf8'),
};

/** A part that `npm run generate` writes, with its name as the first group. */
export const generatedPart = /<!-- ([\w -]+): made by `npm run generate` -->\n[^]*?<!-- \/\1 -->/g;
