import { afterAll, beforeAll, expect, it } from 'vitest';
import { oldestN8n } from '../../playground/n8n/versions.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { exampleFiles, onlyForN8n2 } from '../helpers/exampleFiles.ts';

const isOldest = process.env.KUDOSITY_N8N_VERSION === oldestN8n;

let playground: Playground;
let known: Set<string>;
let most: Map<string, number>;

beforeAll(async () => {
	playground = await startPlayground();
	const types = await playground.rest.nodeTypes();
	known = new Set(
		types.flatMap(({ name, version }) => [version].flat().map((each) => `${name} ${each}`)),
	);
	most = new Map(types.map(({ name, maxNodes = Infinity }) => [name, maxNodes]));
});

afterAll(async () => await playground.stop());

// n8n's editor drops the lines to a node whose type or version it does not know; an import by n8n's API keeps them.
it.each(Object.keys(exampleFiles))('opens %s with all its nodes', (file) => {
	const used = exampleFiles[file]!.nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
	const lacking = isOldest ? onlyForN8n2[file] : undefined;
	expect([...new Set(used)].filter((each) => !known.has(each))).toEqual(lacking ? [lacking] : []);
});

// The editor leaves out those beyond, so that nobody could start what hangs on them.
it.each(Object.keys(exampleFiles))(
	'has no more nodes of a type than the editor takes: %s',
	(file) => {
		const types = exampleFiles[file]!.nodes.map(({ type }) => type);
		const tooMany = types.filter((type) => {
			const count = types.filter((each) => each === type).length;
			return count > (most.get(type) ?? Infinity);
		});
		expect(most.get('n8n-nodes-base.manualTrigger')).toBe(1);
		expect(tooMany).toEqual([]);
	},
);
