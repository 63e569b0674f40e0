import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const testFolder = join(import.meta.dirname, '..');
const document = ['docs/threat-model.md', 'docs/reliability.md']
	.map((file) => readFileSync(join(testFolder, '..', file), 'utf8'))
	.join('\n\n');

/** The last cell of each row of a table that ends in the column Test. */
const testCells = document
	.split('\n\n')
	.filter((block) => /^\|.*\| Test +\|/.test(block))
	.flatMap((table) => table.split('\n').slice(2))
	.map((row) => row.split('|').at(-2) ?? '');

const testsIn = (cell: string): string[] =>
	[...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

it('names a test for each attack, or says that there is none', () => {
	expect(testCells.length).toBeGreaterThan(20);
	const empty = testCells.filter((cell) => testsIn(cell).length === 0 && cell.trim() !== '–');
	expect(empty).toEqual([]);
});

it('names only tests that exist', () => {
	const names = testCells.flatMap(testsIn);
	const missing = names.filter((name) => !existsSync(join(testFolder, `${name}.test.ts`)));
	expect(missing).toEqual([]);
});
