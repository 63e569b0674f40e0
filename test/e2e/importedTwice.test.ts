import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { workflowSchema } from '../../playground/n8n/rest/workflows.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { startPlayground, type Playground } from './harness.ts';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground();
});
afterEach(async () => await playground.deactivateAll());
afterAll(async () => await playground.stop());

/** The trigger of an example, as the editor leaves it when somebody imports the file. */
const importExample = async (name: string, changes: { webhookId?: string } = {}) => {
	const file = join(projectFolder, 'examples', 'opt-out-sync.json');
	const { nodes } = workflowSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	const trigger = nodes.find(({ type }) => type.endsWith('.kudosityTrigger'))!;
	return await playground.save({
		...{ name, connections: {}, settings: {} },
		nodes: [
			{ ...trigger, ...changes, credentials: { kudosityKeyApi: playground.credentials.key } },
		],
	});
};

it('an example that was imported and published twice: n8n refuses the second, and says why', async () => {
	const first = await importExample('First import');
	const second = await importExample('Second import');
	await playground.rest.activate(first.id);

	await expect(playground.rest.activate(second.id)).rejects.toThrow(
		/is already taken|There is a conflict with one of the webhooks/,
	);
});

it.runIf(isCurrent)('the readme quotes what the editor of n8n says then', async () => {
	const { folder } = await ensureN8n({ version: currentN8n });
	const assets = join(folder, 'node_modules/n8n-editor-ui/dist/assets');
	const files = (await readdir(assets)).filter((name) => /^index-.*\.js$/.test(name));
	const sources = await Promise.all(
		files.map(async (name) => await readFile(join(assets, name), 'utf8')),
	);
	const readme = await readFile(join(projectFolder, 'examples', 'README.md'), 'utf8');
	const [, title = '', rest = ''] =
		/\*\*(Conflicting) Trigger Path\*\*.*'( uses a [^”]+)”/.exec(readme) ?? [];

	const editor = sources.find((source) => source.includes(rest)) ?? '';
	expect(rest).toContain('cannot be activated');
	expect(editor).toContain(`title:\`${title} \${`);
});

it('an example that was imported and duplicated: both are published', async () => {
	const first = await importExample('Imported');
	const second = await importExample('Duplicated', { webhookId: randomUUID() });
	await playground.rest.activate(first.id);
	await playground.rest.activate(second.id);

	const webhooks = await playground.control.webhooks();
	expect(new Set(webhooks.map(({ url }) => url)).size).toBe(2);
});
