import { describe, expect, it } from 'vitest';
import { describeFile, readMedia } from '../../../seams.ts';
import { changed, sampleEvent } from '../../../fixtures/events/index.ts';

const bytes = (...parts: Array<number | string>) =>
	Buffer.concat(
		parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))),
	);

const readOne = (file: unknown) =>
	readMedia(changed(sampleEvent('mmsInbound'), 'mo.media', [file]))[0]!;

const typeOf = (file: Buffer, name?: string) =>
	describeFile(readOne({ name, content: file.toString('base64') })).mimeType;

describe('the type of a file', () => {
	it.each([
		['image/jpeg', bytes(0xff, 0xd8, 0xff, 0xe0, 'JFIF')],
		['image/png', bytes(0x89, 'PNG\r\n', 0x1a, '\n')],
		['image/gif', bytes('GIF89a', 1, 0)],
		['image/webp', bytes('RIFF', 1, 0, 0, 0, 'WEBPVP8 ')],
		['audio/wav', bytes('RIFF', 1, 0, 0, 0, 'WAVEfmt ')],
		['image/bmp', bytes('BM', 70, 0, 0, 0, 0, 0, 0, 0, 54, 0)],
		['video/mp4', bytes(0, 0, 0, 0x18, 'ftypisom')],
		['video/mp4', bytes(0, 0, 0, 0x18, 'ftypmp42')],
		['video/3gpp', bytes(0, 0, 0, 0x14, 'ftyp3gp4')],
		['video/quicktime', bytes(0, 0, 0, 0x14, 'ftypqt  ')],
		['audio/mp4', bytes(0, 0, 0, 0x14, 'ftypM4A ')],
		['image/heic', bytes(0, 0, 0, 0x14, 'ftypheic')],
		['audio/mpeg', bytes('ID3', 3, 0)],
		['audio/mpeg', bytes(0xff, 0xfb, 0x90, 0x64)],
		['audio/amr', bytes('#!AMR\n')],
		['audio/ogg', bytes('OggS', 0)],
		['application/pdf', bytes('%PDF-1.7')],
		['text/vcard', bytes('BEGIN:VCARD\r\n')],
	])('is %s', (mimeType, file) => {
		expect(typeOf(file, 'lies.exe')).toBe(mimeType);
	});

	it('is that of the bytes rather than of the name', () => {
		expect(typeOf(bytes('GIF89a', 1, 0), 'photo.jpg')).toBe('image/gif');
	});

	it.each([
		['note.txt', 'text/plain'],
		['CARD.VCF', 'text/vcard'],
		['layout.smil', 'application/smil+xml'],
		['unknown.xyz', 'application/octet-stream'],
		['constructor', 'application/octet-stream'],
		['x.constructor', 'application/octet-stream'],
		[undefined, 'application/octet-stream'],
	])('falls back to that of the name %s', (name, mimeType) => {
		expect(typeOf(bytes('Thanks!'), name)).toBe(mimeType);
	});

	it('is unknown of files of any length without a mark', () => {
		for (let length = 1; length < 16; length++) {
			expect(typeOf(Buffer.alloc(length, 'B'))).toBe('application/octet-stream');
		}
	});
});

describe('the files of an MMS', () => {
	it('decodes each file and names its type and size', () => {
		const files = readMedia(sampleEvent('mmsInbound'));
		expect(files.map(describeFile)).toEqual([
			{ name: 'image-0.png', mimeType: 'image/png', size: 70 },
			{ name: 'note.txt', mimeType: 'text/plain', size: 7 },
		]);
		expect(files[1]?.bytes?.toString()).toBe('Thanks!');
	});

	it.each([
		['line breaks', 'VGhh\r\nbmtz\nIQ=='],
		['no padding', 'VGhhbmtzIQ'],
		['a data URL', 'data:text/plain;base64,VGhhbmtzIQ=='],
	])('reads base64 with %s', (_, content) => {
		expect(readOne({ name: 'a.txt', content }).bytes?.toString()).toBe('Thanks!');
	});

	it.each(['BASE64-encoded-string!', 'not base64', '====', 'A', '👍'])(
		'keeps %j, which is no base64, with its name',
		(content) => {
			const file = readOne({ name: 'a.png', content, extra: 1 });
			expect(file.issue).toBe('mo.media.0.content: is not base64');
			expect(describeFile(file)).toEqual({ name: 'a.png', content, extra: 1 });
		},
	);

	it.each([
		['nothing', { name: 'a.png' }],
		['a number', { name: 'a.png', content: 7 }],
		['no object', 'a.png'],
		['null', null],
	])('says so when a file has %s for content', (_, file) => {
		expect(readOne(file).issue).toBe('mo.media.0.content: missing');
	});

	it('names a file that has no name, and says so when it is empty', () => {
		const file = readOne({ content: '' });
		expect(file).toMatchObject({ name: 'file-0', issue: 'mo.media.0.content: is empty' });
	});

	it.each([[{}], [{ mo: null }], [{ mo: [] }], [{ mo: { media: {} } }], [{ mo: { media: null } }]])(
		'finds no files in %j',
		(body) => {
			expect(readMedia(body)).toEqual([]);
		},
	);
});
