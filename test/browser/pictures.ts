import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { projectFolder } from '../../playground/n8n/pack.ts';

/** WebP, since every PNG and SVG of the repository would ship. */
export const picturesFolder = join(projectFolder, 'docs', 'images');

/** Pixels of the file for one of the page: pictures are shown smaller than the screen. */
export const sharpness = 2;

export type Area = { x: number; y: number; width: number; height: number };

/** As it is on the screen, as WebP. */
export const capture = async (page: Page, area: Area, scale = sharpness): Promise<Buffer> => {
	const session = await page.context().newCDPSession(page);
	const { data } = await session.send('Page.captureScreenshot', {
		format: 'webp',
		quality: 80,
		clip: { ...area, scale },
		captureBeyondViewport: true,
	});
	await session.detach();
	return Buffer.from(data, 'base64');
};

export const keepPicture = async (name: string, picture: Buffer): Promise<void> =>
	await writeFile(join(picturesFolder, `${name}.webp`), picture);

const bytesOf = (value: number, length: number): Buffer => {
	const bytes = Buffer.alloc(length);
	bytes.writeUIntLE(value, 0, length);
	return bytes;
};

const chunk = (name: string, ...parts: Buffer[]): Buffer => {
	const body = Buffer.concat(parts);
	const padding = Buffer.alloc(body.length % 2);
	return Buffer.concat([Buffer.from(name), bytesOf(body.length, 4), body, padding]);
};

/** The image data of a WebP without its container. */
const imageOf = (webp: Buffer): Buffer => {
	let at = 12;
	while (at < webp.length) {
		const name = webp.toString('latin1', at, at + 4);
		const end = at + 8 + webp.readUInt32LE(at + 4);
		if (name === 'VP8 ' || name === 'VP8L') return webp.subarray(at, end + (end % 2));
		at = end + (end % 2);
	}
	throw new Error('This WebP has no image');
};

export type Frame = { picture: Buffer; shownMs: number };

/** Width and height in pixels; of lossy images only, which Chromium makes. */
const sizeOf = (image: Buffer): [number, number] => [
	image.readUInt16LE(14) & 0x3fff,
	image.readUInt16LE(16) & 0x3fff,
];

/** A WebP of pictures of one size, which plays once and ends with the last one. */
export const animated = (frames: Frame[]): Buffer => {
	const [width, height] = sizeOf(imageOf(frames[0]!.picture));
	const size = Buffer.concat([bytesOf(width - 1, 3), bytesOf(height - 1, 3)]);
	const animationFlag = bytesOf(0x02, 4);
	const body = Buffer.concat([
		Buffer.from('WEBP'),
		chunk('VP8X', animationFlag, size),
		chunk('ANIM', bytesOf(0xffffffff, 4), bytesOf(1, 2)),
		...frames.map(({ picture, shownMs }) =>
			chunk('ANMF', bytesOf(0, 6), size, bytesOf(shownMs, 3), bytesOf(0x02, 1), imageOf(picture)),
		),
	]);
	return Buffer.concat([Buffer.from('RIFF'), bytesOf(body.length, 4), body]);
};

/** Pictures side by side, on a page of their own. */
export const sideBySide = async (
	context: BrowserContext,
	parts: Array<{ picture: Buffer; width: number; height: number }>,
): Promise<Buffer> => {
	const page = await context.newPage();
	const images = parts.map(
		({ picture, width, height }) =>
			`<img style="flex:none" width="${width}" height="${height}" src="data:image/webp;base64,${picture.toString('base64')}">`,
	);
	const width = parts.reduce((sum, part) => sum + part.width, 0);
	const { height } = parts[0]!;
	await page.setViewportSize({ width, height });
	await page.setContent(`<body style="margin:0;display:flex;gap:0">${images.join('')}</body>`);
	await page.waitForFunction('[...document.images].every(({ complete }) => complete)');
	const picture = await capture(page, { x: 0, y: 0, width, height });
	await page.close();
	return picture;
};
