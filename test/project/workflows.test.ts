import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../helpers/projectFiles.ts';

const root = join(import.meta.dirname, '../..');
const phases = [
	...readFileSync(join(root, '.ci/run'), 'utf8').matchAll(/^\tphase ([\w-]+) \d+ /gm),
].map(([, name]) => name!);

const workflows = projectFiles('.github/workflows', '.yml');
const workflow = (name: string): string => workflows[`.github/workflows/${name}.yml`] ?? '';

/** The phases that a workflow names, where it runs them or in its matrix. */
const phasesOf = (name: string): string[] =>
	[...workflow(name).matchAll(/(?:- run: bash \.ci\/run|phases:) ([\w -]+)$/gm)]
		.flatMap(([, names]) => names!.split(' '))
		.filter((phase) => phase !== 'install');

describe('the workflows on GitHub', () => {
	it('run every phase of .ci/run at a push or at night, and none twice', () => {
		const run = [...phasesOf('ci'), ...phasesOf('nightly')];
		expect([...run, 'install'].sort()).toEqual([...phases].sort());
	});

	it('run all of them before a release', () => {
		expect(workflow('publish')).toMatch(/^ +- run: bash \.ci\/run$/m);
	});

	it('use actions only by the hash of their commit', () => {
		const used = Object.values(workflows).flatMap((text) => [...text.matchAll(/uses: (.+)$/gm)]);
		expect(used.length).toBeGreaterThan(0);
		expect(used.filter(([, action]) => !/@[0-9a-f]{40} # v[\d.]+$/.test(action ?? ''))).toEqual([]);
	});
});
