import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../playground/n8n/pack.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { until } from '../../playground/n8n/until.ts';
import { exampleFiles, examplePaths, isKudosityTrigger } from '../helpers/exampleFiles.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();
const folder = join(projectFolder, 'examples');

describe('an example workflow', () => {
	it('is imported from its file, gets the credential by itself, and runs on its pinned event', async () => {
		await editor.importFile(join(folder, 'reply-routing.json'));
		await editor.canvas.node('Answer YES').waitFor();
		expect(await editor.canvas.issues.count()).toBe(0);
		await editor.canvas.executeButton.click();

		const [answer] = await editor.control.waitForMessages({});
		expect(answer).toMatchObject({ sender: '61491570006', recipient: '61491576398' });
		await editor.page.getByText('Workflow executed successfully').waitFor();
		await editor.page.getByTestId('zoom-to-fit').click();
		await editor.canvas.executeButton.getByText('Execute workflow').waitFor();
	});

	it('that is imported twice is published once, and the editor says what the readme says', async () => {
		const { playground, page } = editor;
		const { nodes } = exampleFiles['opt-out-sync.json']!;
		const credentials = { kudosityKeyApi: playground.credentials.key };
		const [trigger] = nodes.filter(({ type }) => type.endsWith('.kudosityTrigger'));
		const draft = { connections: {}, settings: {}, nodes: [{ ...trigger!, credentials }] };
		const first = await playground.save({ ...draft, name: 'Keep opt-outs' });
		const second = await playground.save({ ...draft, name: 'Imported again' });
		await playground.rest.activate(first.id);
		await page.goto(`${playground.n8n.url}/workflow/${second.id}`);
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();

		const shown = await page.getByTestId('conflicting-webhook-callout').innerText();
		const readme = await readFile(join(folder, 'README.md'), 'utf8');
		expect(readme).toContain(shown.trim());
	});
});

describe('every example', () => {
	let types: INodeTypeDescription[];
	beforeAll(async () => {
		types = (await editor.playground.rest.nodeTypes()) as unknown as INodeTypeDescription[];
	});

	const isEmpty = (value: unknown) => isDeepStrictEqual(value, {});

	/** Without defaults and empty collections: n8n saves no defaults, and adds collections. */
	function parametersOf(node: WorkflowNode) {
		const type = types.find(
			({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
		);
		if (!type) throw new Error(`n8n has no ${node.type} ${node.typeVersion}`);
		const { properties } = type;
		const values = node.parameters as INode['parameters'];
		const all = NodeHelpers.getNodeParameters(properties, values, false, true, node as INode, type);
		const isOwn = ([name, value]: [string, unknown]) =>
			!isEmpty(value) &&
			!properties.some((each) => each.name === name && isDeepStrictEqual(each.default, value));
		return {
			values: Object.fromEntries(Object.entries(all!).filter(([, value]) => !isEmpty(value))),
			// n8n drops what it does not show, such as the columns of a sheet that nobody has chosen.
			names: Object.entries(node.parameters)
				.filter(isOwn)
				.map(([name]) => name)
				.toSorted(),
		};
	}

	/** What n8n gives itself to a node that is imported. */
	const changed = { id: undefined, position: undefined, credentials: undefined };

	/** What a person who imports an example has to get. */
	function content({ name, nodes, connections, settings, pinData }: Workflow) {
		return {
			name,
			connections,
			pinData,
			executionOrder: settings?.executionOrder,
			nodes: Object.fromEntries(
				nodes.map((node) => {
					// The address of a trigger is in the file, so that nobody has two of them.
					const webhookId = isKudosityTrigger(node) ? node.webhookId : undefined;
					const own = { webhookId, parameters: parametersOf(node) };
					return [node.name, { ...node, ...own, ...changed }];
				}),
			),
		};
	}

	/** Saves what is open, and resolves to what n8n then has. */
	async function save({ name, nodes }: Workflow): Promise<Workflow> {
		const { page, playground } = editor;
		await page.keyboard.press('Control+s');
		return await until({ what: `${name} to be saved` }, async () => {
			const all = await playground.rest.listWorkflows();
			const id = new URL(page.url()).pathname.split('/').at(-1)!;
			if (!all.some((workflow) => workflow.id === id)) return undefined;
			const saved = await playground.rest.readWorkflow(id);
			return saved.name === name && saved.nodes.length === nodes.length ? saved : undefined;
		});
	}

	async function empty(): Promise<void> {
		const { page } = editor;
		await page.getByTestId('canvas').click({ position: { x: 5, y: 5 } });
		await page.keyboard.press('Control+a');
		await page.keyboard.press('Delete');
		await page.getByTestId('canvas-add-button').waitFor();
	}

	// n8n 1.123 can't create Data Tables, and drops what the nodes that do so have.
	it.runIf(isCurrent)(
		'is in n8n what its file is, imported as a file and saved',
		{ timeout: 600_000 },
		async () => {
			for (const [file, example] of Object.entries(exampleFiles)) {
				await editor.importFile(join(projectFolder, examplePaths[file]!));
				await editor.page.getByTestId('canvas-node').nth(0).waitFor();
				expect.soft(content(await save(example)), file).toEqual(content(example));
				await empty();
			}
		},
	);

	it('can be pasted on the empty canvas, as GitHub copies it', async () => {
		const { page, context, playground } = editor;
		const text = await readFile(join(folder, 'appointment.json'), 'utf8');
		await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
			origin: playground.n8n.url,
		});
		await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
		await page.getByTestId('canvas').click({ position: { x: 5, y: 5 } });
		await page.keyboard.press('Control+v');
		await editor.canvas.node('Appointment').waitFor();
		const example = exampleFiles['appointment.json']!;
		expect(content(await save(example))).toEqual(content(example));
	});
});
