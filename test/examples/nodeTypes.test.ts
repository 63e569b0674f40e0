import { afterAll, beforeAll, expect, it } from 'vitest';
import { oldestN8n } from '../../playground/n8n/versions.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { exampleFiles, onlyForN8n2 } from '../helpers/exampleFiles.ts';

const isOldest = process.env.KUDOSITY_N8N_VERSION === oldestN8n;

let playground: Playground;
let known: Set<string>;

beforeAll(async () => {
	playground = await startPlayground();
	const types = await playground.rest.nodeTypes();
	known = new Set(
		types.flatMap(({ name, version }) => [version].flat().map((each) => `${name} ${each}`)),
	);
});

afterAll(async () => await playground.stop());

// n8n's editor drops the lines to a node whose type or version it does not know; an import by n8n's API keeps them.
it.each(Object.keys(exampleFiles))('opens %s with all its nodes', (file) => {
	const used = exampleFiles[file]!.nodes.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
	const lacking = isOldest ? onlyForN8n2[file] : undefined;
	expect([...new Set(used)].filter((each) => !known.has(each))).toEqual(lacking ? [lacking] : []);
});
