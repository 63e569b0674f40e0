import type { INodeProperties } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import { eventTypes, properties as ofTrigger } from '../seams.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

/** Every collection with everything in it. */
const filledIn = (properties: INodeProperties[]) =>
	Object.fromEntries(
		properties
			.filter(({ type }) => type === 'collection')
			.map(({ name, options = [] }) => [
				name,
				Object.fromEntries((options as INodeProperties[]).map((each) => [each.name, each.default])),
			]),
	);

/** As the editor stores what is typed in. */
const typedIn = (properties: INodeProperties[], values: Record<string, unknown>) =>
	Object.fromEntries(
		properties
			.filter(({ type }) => type === 'resourceLocator')
			.map(({ name, modes }) => {
				const mode = modes?.find(({ type }) => type === 'string')?.name;
				return [name, { __rl: true, mode, value: values[name] }];
			}),
	);

/** What the panel cuts off to make it fit. Other values may be longer than their boxes. */
const cutTexts = async (panel: Locator): Promise<string[]> =>
	await panel.evaluate((element) =>
		[...element.querySelectorAll('label *, [data-test-id="rlc-mode-selector"] input')]
			// What has no width is a label without a text.
			.filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth)
			.map((each) => (each as { value?: string }).value ?? each.textContent?.trim() ?? ''),
	);

/** n8n puts a long panel into the page piece by piece. */
const lastLabelOf = (properties: INodeProperties[]): string => {
	const inner = properties.flatMap(({ type, options = [] }) =>
		type === 'collection' ? options : [],
	);
	return (inner as INodeProperties[]).at(-1)!.displayName;
};

it('the panel of every send, and of the trigger, shows each label whole', async () => {
	const { playground, page, node, canvas } = editor;
	const sends = Object.entries(operationsByName).filter(([, { sends }]) => sends);
	const panels = [
		...sends.map(([name, operation]) => ({
			name,
			properties: operation.properties,
			parameters: {
				...{ resource: name.split('/')[0], operation: operation.value },
				...exampleFields(operation),
				...typedIn(operation.properties, exampleFields(operation)),
				...filledIn(operation.properties),
			},
			add: playground.kudosity,
		})),
		{
			name: 'trigger',
			properties: ofTrigger as INodeProperties[],
			parameters: { events: [...eventTypes], ...filledIn(ofTrigger) },
			add: playground.kudosityTrigger,
		},
	];
	const nodes = panels.map(({ add, parameters }, index): WorkflowNode => {
		return add(parameters, { name: `No. ${index}.`, position: [0, index * 200] });
	});
	const { id } = await playground.save({
		name: 'All panels',
		nodes,
		connections: {},
		settings: {},
	});
	await page.goto(`${playground.n8n.url}/workflow/${id}`);
	const cut: string[] = [];
	for (const [index, { name, properties }] of panels.entries()) {
		await canvas.node(`No. ${index}\\.`).dblclick();
		await node.panel.getByText(lastLabelOf(properties), { exact: true }).last().waitFor();
		cut.push(...(await cutTexts(node.panel)).map((text) => `${name}: ${text}`));
		await node.close();
	}
	expect(cut).toEqual([]);
});
