import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as action from '../../nodes/Kudosity/resources/panel.ts';
import * as trigger from '../../nodes/Kudosity/trigger/panel.ts';

const root = join(import.meta.dirname, '../..');
const built = createRequire(join(root, 'dist/nodes/Kudosity/'));

/** What n8n does with each node and credential type when it starts. */
const script = `
	const { n8n } = require('./package.json');
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		const [Type] = Object.values(require('./' + file));
		new Type();
	}
	const own = Object.keys(require.cache).filter((path) => path.includes('/dist/') && !path.includes('node_modules'));
	console.log(JSON.stringify(own));
`;

/** The build names each module where its code begins, those of the nodes from their folder on. */
const modulesIn = (file: string): string[] =>
	[...readFileSync(file, 'utf8').matchAll(/^\/\/ (\S+)$/gm)].map(([, path]) => path ?? '');

it("loads at n8n's start what the panel shows, and no operation", () => {
	const output = execFileSync(process.execPath, ['-e', script], { cwd: root });
	const files = JSON.parse(output.toString()) as string[];
	expect(files.flatMap(modulesIn).sort()).toEqual([
		'Kudosity.node',
		'KudosityTrigger.node',
		'api/credential',
		'api/errors',
		'credentials/KudosityBasicApi.credentials',
		'credentials/KudosityKeyApi.credentials',
		'fields/phone/countries',
	]);
	expect(files.length).toBeLessThanOrEqual(8);
});

it('has each module once, and so one memory of a process for both nodes', () => {
	const dist = join(root, 'dist');
	const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
	const modules = files
		.filter((file) => file.endsWith('.js'))
		.flatMap((file) => modulesIn(join(dist, file)));
	expect(modules).toContain('runtime/accounts');
	expect(modules.filter((path, index) => modules.indexOf(path) !== index)).toEqual([]);
});

it('shows in the panel what the operations declare', () => {
	expect({ ...built('./resources/panel.js') }).toEqual({ ...action });
	expect({ ...built('./trigger/panel.js') }).toEqual({ ...trigger });
});

it.each(['KudosityBasicApi', 'KudosityKeyApi'])('shows all that %s declares', async (name) => {
	const file = `${name}.credentials`;
	type Credential = Record<string, new () => { properties: unknown }>;
	const declared = (await import(`../../credentials/${file}.ts`)) as Credential;
	const shown = built(join(root, 'dist/credentials', `${file}.js`)) as Credential;
	expect(new shown[name]!().properties).toEqual(new declared[name]!().properties);
});
