import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../helpers/projectFiles.ts';
import { unwanted } from './wording.ts';

const written: Record<string, string> = {
	...Object.fromEntries(
		['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/bench/README.md'].map((file) => [
			file,
			readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'),
		]),
	),
	...projectFiles('docs', '.md'),
	...projectFiles('examples', '.md'),
	...projectFiles('examples', '.json'),
	...projectFiles('nodes', '.ts'),
	...projectFiles('credentials', '.ts'),
};

describe('what people read', () => {
	it.each(unwanted)('has no %s (write: %s)', (pattern) => {
		const found = Object.entries(written).flatMap(([file, text]) =>
			// An escaped line break would be a letter of the next word.
			text
				.replaceAll('\\n', '  ')
				.split('\n')
				.flatMap((line, index) => {
					const [match] = pattern.exec(line) ?? [];
					return match ? [`${file}:${index + 1} ${match}`] : [];
				}),
		);
		expect(found).toEqual([]);
	});
});

it('tells nobody to choose or save an API secret without saying that a change breaks other apps', () => {
	const told = Object.entries(written)
		.filter(([file]) => !file.startsWith('examples/'))
		.flatMap(([file, text]) => text.split('\n').map((line) => `${file}: ${line.trim()}`))
		.filter((line) =>
			/\b(choose|enter|save|saved|set)\b.*\bsecret\b|\bsecret\b.*\b(choose|save|saved)\b/i.test(
				line,
			),
		)
		// A comment tells its reader nothing to do.
		.filter((line) => !/^\S+: (\/\*\*|\*|\/\/)/.test(line));
	expect(told.length).toBeGreaterThan(1);
	expect(told.filter((line) => !/other apps/.test(line))).toEqual([]);
});
