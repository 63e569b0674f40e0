import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
	actionPanel,
	KudosityBasicApi,
	KudosityKeyApi,
	pollingPanel,
	triggerPanel,
} from '../seams.ts';

const root = join(import.meta.dirname, '../..');
const built = createRequire(join(root, 'dist/nodes/Kudosity/'));

/** In a process of its own; then tells which files of ours it loaded. */
const loadedBy = (script: string): string[] => {
	const tellOwn = `
		const dist = require('node:path').resolve('dist') + '/';
		const own = Object.keys(require.cache).filter((path) => path.startsWith(dist));
		console.log(JSON.stringify(own.map((path) => path.slice(dist.length))));
	`;
	const output = execFileSync(process.execPath, ['-e', script + tellOwn], { cwd: root });
	return (JSON.parse(output.toString()) as string[]).sort();
};

it("loads at n8n's start what the panel shows, and no operation", () => {
	const start = `
		const { n8n } = require('./package.json');
		for (const file of [...n8n.credentials, ...n8n.nodes]) {
			const [Type] = Object.values(require('./' + file));
			new Type();
		}
	`;
	expect(loadedBy(start)).toEqual([
		'credentials/KudosityBasicApi.credentials.js',
		'credentials/KudosityKeyApi.credentials.js',
		'nodes/Kudosity/Kudosity.node.js',
		'nodes/Kudosity/KudosityPollingTrigger.node.js',
		'nodes/Kudosity/KudosityTrigger.node.js',
		'nodes/Kudosity/api/credential.js',
		'nodes/Kudosity/api/errors.js',
		'nodes/Kudosity/fields/phone/countries.js',
		'nodes/Kudosity/fields/phone/countries.json',
		'nodes/Kudosity/methods/onFirstUse.js',
		'nodes/Kudosity/n8n/whenLoaded.js',
		'nodes/Kudosity/polling/panel.js',
		'nodes/Kudosity/resources/panel.js',
		'nodes/Kudosity/trigger/panel.js',
	]);
});

it('loads one module alone, with what it needs only', () => {
	expect(loadedBy("require('./dist/nodes/Kudosity/api/credential.js');")).toEqual([
		'nodes/Kudosity/api/credential.js',
		'nodes/Kudosity/api/errors.js',
	]);
});

it('names in a stack trace the file and the line where an error arose', () => {
	const { safeBaseUrl } = built('./api/credential.js') as { safeBaseUrl: (url: string) => string };
	const stackOf = (task: () => unknown): string => {
		try {
			return String(task());
		} catch (error) {
			return (error as Error).stack ?? '';
		}
	};
	const stack = stackOf(() => safeBaseUrl('http://example.com'));
	expect(stack).toMatch(/dist\/nodes\/Kudosity\/api\/credential\.js:\d+/);
});

it('shows in the panel what the operations declare', () => {
	expect({ ...built('./resources/panel.js') }).toEqual({ ...actionPanel });
	expect({ ...built('./trigger/panel.js') }).toEqual({ ...triggerPanel });
	// n8n adds the poll times where it loads the node, and files of a run share it.
	const polling = built('./polling/panel.js') as { properties: Array<{ name: string }> };
	const ours = polling.properties.filter(({ name }) => name !== 'pollTimes');
	expect({ ...polling, properties: ours }).toEqual({ ...pollingPanel });
});

const credentials = Object.entries({ KudosityBasicApi, KudosityKeyApi });

it.each(credentials)('shows all that %s declares', (name, Declared) => {
	const file = built(`../../credentials/${name}.credentials.js`) as Record<string, typeof Declared>;
	expect(new file[name]!().properties).toEqual(new Declared().properties);
});
