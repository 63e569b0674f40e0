import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../helpers/projectFiles.ts';
import { countryNames, numberingPlans } from './numberingPlans.ts';

const folder = 'nodes/Kudosity/fields/phone';
const read = (name: string): Record<string, string> =>
	JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', folder, name), 'utf8'));

describe('what the nodes know of phone numbers', () => {
	it('is what libphonenumber-js knows, as `npx tsx test/project/writeNumberingPlans.ts` writes it', () => {
		expect(read('numberingPlans.json')).toEqual(numberingPlans());
		expect(Object.keys(read('numberingPlans.json'))).toEqual(Object.keys(numberingPlans()));
	});

	it('has a name for each country, whatever this Node.js calls it', () => {
		expect(Object.keys(read('countries.json')).sort()).toEqual(Object.keys(countryNames()).sort());
		expect(Object.entries(read('countries.json')).filter(([code, name]) => code === name)).toEqual(
			[],
		);
	});

	it('is read when a number comes, not when n8n starts', () => {
		const importing = Object.entries(projectFiles('nodes', '.ts')).filter(([, text]) =>
			/numberingPlans\.json/.test(text),
		);
		expect(importing.map(([path]) => path)).toEqual([`${folder}/numberingPlans.ts`]);
		expect(importing[0]?.[1]).toMatch(/import\('\.\/numberingPlans\.json'\)/);
		expect(importing[0]?.[1]).not.toMatch(/from '.*\.json'/);
	});
});
