import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { launchBrowser, openEditor, signIn, type Editor, type Look } from './editor.ts';

/** A new editor with an empty workflow before each test. Read the members inside tests only. */
export const useEditor = (look?: Look) => {
	let playground: Playground;
	let browser: Browser;
	let context: BrowserContext;
	let editor: Editor;

	beforeAll(async () => {
		playground = await startPlayground({ settings: { autoStatus: false } });
		browser = await launchBrowser();
		context = await signIn(browser, playground, look);
	});
	beforeEach(async () => {
		await playground.control.reset({ autoStatus: false });
		editor = await openEditor(context, playground);
	});
	afterEach(async ({ task }) => {
		if (task.result?.state === 'fail') await editor.keepPictureOfFailure(task.name);
		await editor.close();
	});
	afterAll(async () => {
		await browser.close();
		await playground.stop();
	});

	return {
		get control() {
			return playground.control;
		},
		get playground() {
			return playground;
		},
		get page() {
			return editor.page;
		},
		get creator() {
			return editor.creator;
		},
		get importFile() {
			return editor.importFile;
		},
		get importWorkflow() {
			return editor.importWorkflow;
		},
		/** For pages beside the editor. */
		get context() {
			return context;
		},
		get canvas() {
			return editor.canvas;
		},
		get node() {
			return editor.node;
		},
	};
};
