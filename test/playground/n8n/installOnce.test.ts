import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installOnce, isInstalled } from '../../../playground/n8n/install.ts';

let cache: string;
let folder: string;

beforeEach(async () => {
	cache = await mkdtemp(join(tmpdir(), 'kudosity-cache-'));
	folder = join(cache, 'thing-1.0.0');
});

afterEach(async () => await rm(cache, { recursive: true }));

const onWait = () => {};
const fill = async (staging: string) => await writeFile(join(staging, 'thing'), 'whole');

describe('installOnce', () => {
	it('leaves a complete folder, and nothing else', async () => {
		await installOnce({ folder, fill, onWait });
		expect(isInstalled(folder)).toBe(true);
		expect(await readFile(join(folder, 'thing'), 'utf8')).toBe('whole');
		expect(await readdir(cache)).toEqual(['thing-1.0.0']);
	});

	it('installs once when two start at the same time, and not again later', async () => {
		let fills = 0;
		const counting = async (staging: string) => {
			fills += 1;
			await fill(staging);
		};
		const install = async () => await installOnce({ folder, fill: counting, onWait });
		await Promise.all([install(), install()]);
		await install();
		expect(fills).toBe(1);
	});

	it('shows no folder after a try that failed, and succeeds the next time', async () => {
		const failing = async () => {
			throw new Error('the disk is full');
		};
		await expect(installOnce({ folder, fill: failing, onWait })).rejects.toThrow('disk is full');
		expect(existsSync(folder)).toBe(false);
		await installOnce({ folder, fill, onWait });
		expect(isInstalled(folder)).toBe(true);
	});

	it('replaces a folder that was never completed', async () => {
		await writeFile(folder, 'a leftover');
		await installOnce({ folder, fill, onWait });
		expect(isInstalled(folder)).toBe(true);
	});

	it('takes over from a process that was killed', async () => {
		const beyondAnyPid = 2 ** 30;
		await writeFile(`${folder}.lock`, `${hostname()} ${beyondAnyPid} 0`);
		await installOnce({ folder, fill, onWait });
		expect(isInstalled(folder)).toBe(true);
	});

	it('waits for a process that is still at it, and stops waiting on request', async () => {
		await writeFile(`${folder}.lock`, `${hostname()} ${process.pid} 0`);
		const stopping = new AbortController();
		const waiting = installOnce({
			folder,
			fill,
			onWait: () => stopping.abort(),
			signal: stopping.signal,
		});
		await expect(waiting).rejects.toThrow(/abort/i);
		expect(isInstalled(folder)).toBe(false);
	});
});
