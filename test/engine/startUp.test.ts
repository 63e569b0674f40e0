import { execFileSync } from 'node:child_process';
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

it("loads at n8n's start what the panel shows, and no operation", () => {
	const output = execFileSync(process.execPath, ['-e', script], { cwd: root });
	const files = JSON.parse(output.toString()) as string[];
	expect(files.filter((path) => /\.operation\.js|runtime|endpoints/.test(path))).toEqual([]);
	expect(files.length).toBeLessThanOrEqual(12);
});

it('shows in the panel what the operations declare', () => {
	expect({ ...built('./resources/panel.js') }).toEqual({ ...action });
	expect({ ...built('./trigger/panel.js') }).toEqual({ ...trigger });
});
