import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	type Locator,
	type Page,
} from 'playwright-core';
import { projectFolder } from '../../playground/n8n/pack.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import type { Playground } from '../e2e/harness.ts';

selectors.setTestIdAttribute('data-test-id');

const timeoutMs = 60_000;
const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const chromiumFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/** Of the tests that failed. */
const failuresFolder = join(projectFolder, '.cache', 'browser');

export const launchBrowser = async (): Promise<Browser> => {
	const path = process.env.CHROMIUM_PATH ?? chromiumPaths.find((each) => existsSync(each));
	if (path === undefined) {
		throw new Error('No Chromium here: apt-get install chromium, or set CHROMIUM_PATH');
	}
	return await chromium.launch({ executablePath: path, args: chromiumFlags });
};

/** The panel of a node, opened. */
const nodePanel = (page: Page) => {
	const panel = page.getByTestId('ndv');
	const openChoices = page.locator('.el-select-dropdown__item').filter({ visible: true });
	const field = (name: string): Locator => panel.getByTestId(`parameter-input-${name}`);
	return {
		panel,
		field,
		output: panel.getByTestId('output-panel'),
		fill: async (name: string, value: string) => {
			// What can also be chosen from a list has the choice between both beside it.
			const besideList = field(name).getByTestId('rlc-input-container');
			const place = (await besideList.count()) > 0 ? besideList : field(name);
			const input = place.locator('input, textarea').first();
			await input.fill(value);
			await input.blur();
		},
		/** The choices of a drop-down. */
		choices: async (name: string): Promise<string[]> => {
			await field(name).click();
			await openChoices.first().waitFor();
			const texts = await openChoices.allInnerTexts();
			await page.keyboard.press('Escape');
			await openChoices.first().waitFor({ state: 'hidden' });
			// The name of a choice is its first line, above its description.
			return texts.map((text) => text.trim().split('\n')[0] ?? '');
		},
		choose: async (name: string, choice: string) => {
			await field(name).click();
			await openChoices.filter({ has: page.getByText(choice, { exact: true }) }).click();
		},
		/** Chooses in the list of what the account has. */
		chooseFromList: async (name: string, item: string) => {
			await field(name).getByTestId('rlc-mode-selector').click();
			await openChoices.filter({ hasText: 'From List' }).click();
			await field(name).getByTestId('rlc-input-container').click();
			await page.getByTestId('rlc-item').filter({ hasText: item }).click();
		},
		/** Presses "Execute step". */
		execute: async () => await panel.getByTestId('node-execute-button').click(),
		close: async () => {
			await panel.getByTestId('ndv-close-button').click();
			await panel.waitFor({ state: 'hidden' });
		},
	};
};

export type NodePanel = ReturnType<typeof nodePanel>;

const workflowCanvas = (page: Page) => {
	const canvas = page.getByTestId('canvas');
	return {
		node: (name: string): Locator =>
			canvas.getByTestId('canvas-node').filter({ hasText: new RegExp(`^\\s*${name}`) }),
		/** The red marks of nodes in which something is missing. */
		issues: canvas.getByTestId('node-issues'),
		executeButton: page.getByTestId('execute-workflow-button').first(),
	};
};

const nodeCreator = (page: Page) => {
	const creator = page.getByTestId('node-creator');
	const entries = creator.getByTestId('node-creator-item-name');
	const entry = (name: string): Locator => entries.getByText(name, { exact: true }).first();
	return {
		entries,
		/** Opens the list of nodes, and types these words into its search. */
		search: async (words: string): Promise<void> => {
			const bar = creator.getByTestId('node-creator-search-bar');
			if (!(await bar.isVisible())) await page.getByTestId('node-creator-plus-button').click();
			await bar.fill('');
			await entry('Kudosity').waitFor({ state: 'hidden' });
			await bar.fill(words);
		},
		entry,
		/** Opens an entry of the list, or adds the node when it is a trigger or an action. */
		choose: async (name: string) => await entry(name).click(),
		/** Unfolds the actions, which n8n folds while the workflow has no trigger. */
		unfold: async (title: RegExp) => await creator.getByText(title).click(),
	};
};

/** How the pages look: n8n and the emulator's page follow the color scheme. */
export type Look = Pick<BrowserContextOptions, 'viewport' | 'deviceScaleFactor' | 'colorScheme'>;

/** A browser in which n8n's owner is signed in. */
export const signIn = async (browser: Browser, { n8n, rest }: Playground, look: Look = {}) => {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...look });
	const cookies = [...rest.cookies].map(([name, value]) => ({ name, value, url: n8n.url }));
	await context.addCookies(cookies);
	context.setDefaultTimeout(timeoutMs);
	return context;
};

/** n8n's editor with an empty workflow. */
export const openEditor = async (context: BrowserContext, { n8n }: Playground) => {
	const page = await context.newPage();
	await page.goto(`${n8n.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').waitFor();

	return {
		page,
		creator: nodeCreator(page),
		node: nodePanel(page),
		canvas: workflowCanvas(page),
		/** Menu "…", "Import from file". */
		importFile: async (path: string) =>
			await page.getByTestId('workflow-import-input').setInputFiles(path),
		/** The same, without a file. */
		importWorkflow: async (workflow: Workflow) =>
			await page.getByTestId('workflow-import-input').setInputFiles({
				name: 'workflow.json',
				mimeType: 'application/json',
				buffer: Buffer.from(JSON.stringify(workflow)),
			}),
		close: async () => await page.close(),
		keepPictureOfFailure: async (name: string) => {
			await mkdir(failuresFolder, { recursive: true });
			const path = join(failuresFolder, `${name.replace(/\W+/g, '-')}.png`);
			await page.screenshot({ path });
		},
	};
};

export type Editor = Awaited<ReturnType<typeof openEditor>>;
