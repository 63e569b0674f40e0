/**
 * Writes what the nodes know of phone numbers, from libphonenumber-js: `npx tsx test/project/writeNumberingPlans.ts`
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countryNames, numberingPlans } from './numberingPlans.ts';

const folder = resolve(import.meta.dirname, '../../nodes/Kudosity/fields/phone');
const write = async (name: string, data: unknown) =>
	await writeFile(resolve(folder, name), `${JSON.stringify(data, undefined, '\t')}\n`);

await write('numberingPlans.json', numberingPlans());
await write('countries.json', countryNames());
