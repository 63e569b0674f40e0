import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choosePhases } from '../ci/phases.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { documents } from '../helpers/documents.ts';
import { filesWithParts, withCurrentParts } from './generatedParts.ts';

const project = resolve(import.meta.dirname, '../..');
const read = async (path: string) => await readFile(resolve(project, path), 'utf8');

const readme = documents['README.md']!;

describe('the documents', () => {
	it.each(filesWithParts)('has in %s what `npm run generate` writes', async (file) => {
		expect(documents[file]).toBe(await withCurrentParts(documents[file]!, file));
	});

	it('says which messages come simplified', () => {
		const simplified = resources
			.filter(({ operations }) =>
				operations.some(
					({ value, properties }) =>
						value.startsWith('get') && properties.some(({ name }) => name === 'simplify'),
				),
			)
			.map(({ name }) => name.replace(' Message', ''));
		const text = documents['docs/operations.md']!;
		const [, named] = /for messages \((.*?)\) have _Simplify_/.exec(text) ?? [];
		expect(named?.split(', ').toSorted()).toEqual(simplified.toSorted());
	});

	it('has the heading that the credentials link to for help', () => {
		expect(readme).toContain('\n## Credentials\n');
	});
});

describe.each(['README.md', 'CONTRIBUTING.md'])('%s', (path) => {
	it('names only commands that exist', async () => {
		const { scripts } = JSON.parse(await read('package.json')) as {
			scripts: Record<string, string>;
		};
		const text = await read(path);
		const named = [
			...[...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
			...[...text.matchAll(/npm (start|test)\b/g)].map(([, name]) => name),
		];
		expect(named.length).toBeGreaterThan(0);
		expect(named.filter((name) => !((name ?? '') in scripts))).toEqual([]);
	});
});

describe('.ci/run', () => {
	it('runs the test command of the README', async () => {
		expect(readme).toContain('npm ci && npm test');
		const { scripts } = JSON.parse(await read('package.json')) as { scripts: { test: string } };
		const [test] = choosePhases(['test']);
		const projects = test!.projects!.map((name) => `--project ${name}`).join(' ');
		expect(scripts.test).toBe(`npm run build && vitest run ${projects}`);
		expect(await read('.ci/run')).toMatch(/^npm ci$/m);
	});
});
