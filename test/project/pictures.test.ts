import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { documents } from '../helpers/documents.ts';
import { hashes, keptHashes } from './pictures.ts';

describe('the pictures', () => {
	it('show what is there now; otherwise `npm run pictures -- -t "<name>|are noted"`, and look at each', () => {
		expect(keptHashes()).toEqual(hashes);
	});

	it('are there in light and dark, and in a document each', () => {
		const files = Object.keys(hashes).flatMap((name) => [`${name}.webp`, `${name}-dark.webp`]);
		const kept = readdirSync(join(projectFolder, 'docs/images')).filter((name) =>
			name.endsWith('.webp'),
		);
		expect(kept.toSorted()).toEqual(files.toSorted());
		const texts = Object.values(documents).join('\n');
		expect(files.filter((name) => !texts.includes(`images/${name}`))).toEqual([]);
	});
});
