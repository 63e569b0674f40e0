import { describe, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { pictureOf } from '../project/gallery.ts';
import { withOptions } from '../examples/campaignNodes.ts';
import { keepHashes } from '../project/pictures.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { animated, capture, keepPicture, sideBySide, type Frame } from './pictures.ts';
import { useEditor } from './useEditor.ts';

const looks = [
	{ colorScheme: 'light', suffix: '' },
	{ colorScheme: 'dark', suffix: '-dark' },
] as const;

/** Without what tells nothing in a picture, or moves. */
const quiet = `
	.el-notification, .vue-flow__panel, [data-test-id='canvas-handle-plus-wrapper'],
	[data-test-id^='execute-workflow-button'], [data-test-id^='floating-node'],
	[data-test-id='ndv-pin-data'], [data-test-id='ndv-edit-pinned-data'] { display: none !important; }
	* { caret-color: transparent !important; }
	/* A node that waits has a red frame in n8n, which reads as an error in a picture that does not move. */
	[data-test-id='canvas-node'] [class*='_waiting_']::after, [data-test-id='canvas-node'] [class*='_running_']::after {
		background: var(--color--secondary) !important; animation: none !important;
	}
	body:has([data-test-id='canvas']):not(:has([data-test-id='ndv'], [data-test-id='node-creator'])) {
		* { visibility: hidden; }
		[data-test-id='canvas'], [data-test-id='canvas'] * { visibility: visible; }
	}
`;

/** The tests' own name for it has a port. In the page. */
const nameCredential = `
	for (const input of document.querySelectorAll('input'))
		if (input.value.startsWith('Playground: ')) input.value = 'Kudosity account';
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode())
		if (texts.currentNode.data.trim().startsWith('Playground: ')) texts.currentNode.data = 'Kudosity account';
`;

/** Of the emulator's page: what a recipient sees. */
const onlyThePhone = (heightPx: number) => `
	body { overflow: hidden; visibility: hidden; }
	.phone { visibility: visible; position: fixed; top: 20px; left: 20px; width: 330px; height: ${heightPx - 40}px; }
	html { min-height: ${heightPx}px; background: var(--page); }
	.phone .actions, .phone .meta { display: none; }
`;

const settled = async (page: Page): Promise<void> => {
	await page.addStyleTag({ content: quiet });
	await page.mouse.move(0, 0);
	await page.evaluate(nameCredential);
	// The editor fades its buttons in, by script.
	await page.waitForTimeout(800);
};

const areaOf = async (place: Locator) => {
	const box = await place.boundingBox();
	if (!box) throw new Error('It is not on the page');
	return { x: box.x, y: box.y, width: Math.round(box.width), height: Math.round(box.height) };
};

/** Around all nodes with their names, and the lines between them. */
const nodesArea = async (page: Page) => {
	const drawn = page.locator('[data-test-id="canvas-node"], .vue-flow__edge-path');
	const boxes = await Promise.all((await drawn.all()).map(areaOf));
	const x = Math.min(...boxes.map((box) => box.x)) - 60;
	const y = Math.min(...boxes.map((box) => box.y)) - 30;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + 60;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + 70;
	return { x, y, width: Math.round(right - x), height: Math.round(bottom - y) };
};

/** Without its notes, which nobody could read in a picture. `by` draws the nodes nearer together. */
const drawable = (file: string, by = { x: 1, y: 1 }): Workflow => {
	const { nodes, ...rest } = exampleFiles[file]!;
	return {
		...rest,
		nodes: nodes
			.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
			.map((node) => {
				const [x, y] = node.position;
				return { ...node, position: [Math.round(x * by.x), Math.round(y * by.y)] };
			}),
	};
};

// `npm run pictures` only, so that an ordinary run changes no file.
describe.runIf(process.env.KUDOSITY_PICTURES).each(looks)('pictures, $colorScheme', (look) => {
	const editor = useEditor({
		colorScheme: look.colorScheme,
		viewport: { width: 1260, height: 780 },
	});
	const taken: string[] = [];
	const keep = async (name: string, picture: Buffer) => {
		await keepPicture(`${name}${look.suffix}`, picture);
		taken.push(name);
	};

	it('nodes', async () => {
		await editor.page.setViewportSize({ width: 1180, height: 820 });
		await editor.creator.search('kudosity');
		await editor.creator.choose('Kudosity');
		await settled(editor.page);
		const creator = editor.page.getByTestId('node-creator');
		await keep('nodes', await capture(editor.page, await areaOf(creator)));
	});

	it('send', async () => {
		await editor.page.setViewportSize({ width: 1260, height: 900 });
		await editor.creator.search('kudosity');
		await editor.creator.choose('Kudosity');
		await editor.creator.unfold(/^Actions/);
		await editor.creator.choose('Send SMS');
		await editor.node.fill('sender', '61491570006');
		await editor.node.fill('recipient', '+61 491 573 087');
		await editor.node.fill('message', 'Hi Sam, your order is ready.');
		await editor.node.execute();
		await editor.node.output.getByTestId('radio-button-json').click();
		await editor.node.output.getByText('"encoding"').waitFor();
		await settled(editor.page);
		await keep('send', await capture(editor.page, await areaOf(editor.node.panel)));
	});

	it('trigger', async () => {
		await editor.creator.search('kudosity');
		await editor.creator.choose('Kudosity');
		await editor.creator.choose('On SMS received');
		await editor.node.execute();
		await editor.control.waitForWebhooks({});
		const text = 'Is the table still free?';
		await editor.control.inbound({ from: '61491573087', to: '61491570006', text });
		await editor.node.output.getByTestId('radio-button-json').click();
		await editor.node.output.getByText('"contact"').waitFor();
		await settled(editor.page);
		await keep('trigger', await capture(editor.page, await areaOf(editor.node.panel)));
	});

	/** On a screen that has room for all nodes at their full size. */
	const open = async (workflow: Workflow, screen = { width: 1800, height: 1100 }) => {
		await editor.page.setViewportSize(screen);
		await editor.importWorkflow(workflow);
		const nodes = editor.page.getByTestId('canvas-node');
		await nodes.nth(workflow.nodes.length - 1).waitFor();
		await editor.page.getByTestId('zoom-to-fit').click();
	};

	it('reply-routing', async () => {
		await open(drawable('reply-routing.json'));
		await editor.canvas.executeButton.click();
		await editor.control.waitForMessages({});
		await editor.page.getByText('Workflow executed successfully').waitFor();
		await settled(editor.page);
		await keep('reply-routing', await capture(editor.page, await nodesArea(editor.page)));
	});

	it.each(Object.keys(exampleFiles))('%s', async (file) => {
		await open(drawable(file, { x: 0.8, y: 1 }), { width: 3600, height: 1700 });
		await settled(editor.page);
		const picture = await capture(editor.page, await nodesArea(editor.page), 1);
		await keep(pictureOf(file), picture);
	});

	it('question', async () => {
		const workflow = drawable('appointment.json', { x: 0.8, y: 1 });
		// Nobody has opted out of it yet.
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Ask' ? withOptions(node, { allowEmptyList: true }) : node,
		);
		await open({ ...workflow, nodes });
		await settled(editor.page);
		const canvas = await nodesArea(editor.page);
		const phone = await editor.context.newPage();
		await phone.goto(editor.playground.emulator.url);
		const screen = { x: 0, y: 0, width: 370, height: canvas.height };
		await phone.setViewportSize({ width: screen.width, height: screen.height });
		await phone.addStyleTag({ content: onlyThePhone(screen.height) });

		const frames: Frame[] = [];
		const frame = async (shownMs: number): Promise<void> => {
			await settled(editor.page);
			// The page that combines the parts resizes the window.
			await phone.bringToFront();
			await phone.setViewportSize({ width: screen.width, height: screen.height });
			await settled(phone);
			const parts = [
				{ ...canvas, picture: await capture(editor.page, canvas) },
				{ ...screen, picture: await capture(phone, screen) },
			];
			frames.push({ picture: await sideBySide(editor.context, parts), shownMs });
		};
		await frame(1500);
		await editor.canvas.executeButton.evaluate((button) =>
			button.dispatchEvent(new Event('click', { bubbles: true })),
		);
		await editor.control.waitForMessages({});
		await phone.locator('.bubble').first().waitFor();
		await frame(2500);
		await phone.locator('#replyText').fill('confirm!');
		await frame(1200);
		await phone.locator('#replyText').press('Enter');
		await phone.locator('.bubble').nth(2).waitFor();
		await editor.page.getByText('Workflow executed successfully').waitFor({ state: 'attached' });
		await frame(6000);
		// What does not animate pictures shows the first one: the end of the story.
		const end = { ...frames.at(-1)!, shownMs: 2500 };
		await keep('question', animated([end, ...frames]));
	});

	it('are noted with what they show', async () => await keepHashes(taken));
});
