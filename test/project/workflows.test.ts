import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { choosePhases } from '../ci/phases.ts';
import { projectFiles } from '../helpers/projectFiles.ts';

const workflows = projectFiles('.github/workflows', '.yml');
const workflow = (name: string): string => workflows[`.github/workflows/${name}.yml`] ?? '';

/** What a workflow gives to `.ci/run`. */
const runsOf = (name: string): string[] =>
	[...workflow(name).matchAll(/- run: bash \.ci\/run(.*)$/gm)].map(([, names]) => names!.trim());

describe('the workflows on GitHub', () => {
	it('run the gate at a push, and everything at night and before a release', () => {
		expect(runsOf('ci')).toContain('');
		expect(runsOf('nightly')).toContain('all');
		expect(runsOf('publish')).toContain('all');
	});

	it('name only phases that there are', () => {
		for (const name of ['ci', 'nightly', 'publish'])
			for (const run of runsOf(name))
				expect(choosePhases(run.split(' ').filter(Boolean))).not.toEqual([]);
	});

	it('run only test files that there are', () => {
		const files = choosePhases(['gate']).flatMap((phase) => phase.files ?? []);
		expect(files.length).toBeGreaterThan(0);
		expect(files.filter((file) => !existsSync(join(projectFolder, file)))).toEqual([]);
	});

	it('use actions only by the hash of their commit', () => {
		const used = Object.values(workflows).flatMap((text) => [...text.matchAll(/uses: (.+)$/gm)]);
		expect(used.length).toBeGreaterThan(0);
		expect(used.filter(([, action]) => !/@[0-9a-f]{40} # v[\d.]+$/.test(action ?? ''))).toEqual([]);
	});
});
