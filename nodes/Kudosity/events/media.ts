import { isJson, type Json } from '../lib/json';

const maxNameLength = 200;

/**
 * Returns a safe file name. The sender of an MMS chooses the name, and n8n would treat everything before a slash as a
 * folder.
 */
export function fileNameOf(name: string): string {
	const last = name.split(/[/\\]/).at(-1) ?? '';
	const printable = last.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(-maxNameLength);
	return /^\.*$/.test(printable) ? 'file' : printable;
}

const ascii = (bytes: Buffer, start: number, end: number): string =>
	bytes.toString('latin1', start, end);

const startsWith =
	(...signature: number[]) =>
	(bytes: Buffer): boolean =>
		signature.every((byte, index) => bytes[index] === byte);

const isRiff = (kind: string) => (bytes: Buffer) =>
	ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === kind;

/** Matches MP4, 3GP and related formats, which name their type (brand) in the first box of the file. */
const isFtyp = (brand: RegExp) => (bytes: Buffer) =>
	ascii(bytes, 4, 8) === 'ftyp' && brand.test(ascii(bytes, 8, 12));

/**
 * Whether the file begins with an MPEG audio frame rather than an ID3 tag: eleven set bits, and the layer bits of Layer
 * III (MP3).
 */
const isMpegFrame = (bytes: Buffer): boolean =>
	bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0 && ((bytes[1] ?? 0) & 0x06) === 0x02;

/** Formats that phones send, recognized by their first bytes. The first match wins. */
const signatures: Array<[mimeType: string, matches: (bytes: Buffer) => boolean]> = [
	['image/jpeg', startsWith(0xff, 0xd8, 0xff)],
	['image/png', startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
	['image/gif', (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6))],
	['image/webp', isRiff('WEBP')],
	['audio/wav', isRiff('WAVE')],
	['image/bmp', (bytes) => ascii(bytes, 0, 2) === 'BM' && bytes.readUInt32LE(6) === 0],
	['image/heic', isFtyp(/^(heic|heix|mif1|msf1)/)],
	['audio/mp4', isFtyp(/^M4A/)],
	['video/quicktime', isFtyp(/^qt/)],
	['video/3gpp2', isFtyp(/^3g2/)],
	['video/3gpp', isFtyp(/^3g[pers]/)],
	['video/mp4', isFtyp(/./)],
	['audio/amr', (bytes) => ascii(bytes, 0, 5) === '#!AMR'],
	['audio/mpeg', (bytes) => ascii(bytes, 0, 3) === 'ID3' || isMpegFrame(bytes)],
	['audio/ogg', (bytes) => ascii(bytes, 0, 4) === 'OggS'],
	['application/pdf', (bytes) => ascii(bytes, 0, 5) === '%PDF-'],
	['text/vcard', (bytes) => /^BEGIN:VCARD/i.test(ascii(bytes, 0, 11))],
];

const headLength = 12;

/**
 * MIME types by file extension. Pictures are not listed, because their bytes always show their type: a file that has
 * only the extension of a picture isn't one.
 */
const byExtension: Record<string, string> = {
	'3gp': 'video/3gpp',
	amr: 'audio/amr',
	ics: 'text/calendar',
	mp3: 'audio/mpeg',
	mp4: 'video/mp4',
	pdf: 'application/pdf',
	smil: 'application/smil+xml',
	txt: 'text/plain',
	vcf: 'text/vcard',
	wav: 'audio/wav',
};

/** Returns a file's MIME type, judging by its bytes. The file name decides only if the bytes are inconclusive. */
export function sniffMimeType(bytes: Buffer, name = ''): string {
	const head = Buffer.alloc(headLength);
	bytes.copy(head, 0, 0, headLength);
	const sniffed = signatures.find(([, matches]) => matches(head))?.[0];
	const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
	const named = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
	return sniffed ?? named ?? 'application/octet-stream';
}

/** One file of an MMS. If `bytes` is missing, the content could not be decoded and remains in the JSON. */
export type MediaFile = {
	name: string;
	source: Json;
	bytes?: Buffer;
	mimeType?: string;
	issue?: string;
};

const dataUrlPrefix = /^data:[^,]{0,200};base64,/;

function withoutPadding(text: string): string {
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	return text.slice(0, text.length - padding);
}

/**
 * Decodes base64. Returns undefined if the text is invalid. Node.js skips invalid characters, so the decoded length
 * shows whether there were any.
 */
function decodeExactly(content: string): Buffer | undefined {
	const text = withoutPadding(content);
	const bytes = Buffer.allocUnsafe(Math.floor((text.length * 3) / 4));
	const isWhole = bytes.write(text, 'base64') === bytes.length;
	return isWhole && text.length % 4 !== 1 ? bytes : undefined;
}

/** Decodes base64. Tries the plain form first, because it is usual, then base64 with line breaks or in a data URL. */
const decodeBase64 = (content: string): Buffer | undefined =>
	decodeExactly(content) ?? decodeExactly(content.replace(dataUrlPrefix, '').replace(/\s+/g, ''));

function readFile(source: unknown, index: number): MediaFile {
	const fields = isJson(source) ? source : { value: source };
	const name =
		typeof fields.name === 'string' && fields.name !== '' ? fields.name : `file-${index}`;
	const file = { name, source: fields };
	const place = `mo.media.${index}.content`;
	if (typeof fields.content !== 'string') return { ...file, issue: `${place}: missing` };
	const bytes = decodeBase64(fields.content);
	if (!bytes) return { ...file, issue: `${place}: is not base64` };
	const decoded = { ...file, bytes, mimeType: sniffMimeType(bytes, name) };
	return bytes.length === 0 ? { ...decoded, issue: `${place}: is empty` } : decoded;
}

/** Decodes the files of an inbound MMS. Returns an empty list for any other event. Never throws. */
export function readMedia(body: Json): MediaFile[] {
	return isJson(body.mo) && Array.isArray(body.mo.media) ? body.mo.media.map(readFile) : [];
}

/**
 * Describes a file for the JSON output, without its base64 content. `size` is in bytes. If the content could not be
 * decoded, it is kept, so nothing is lost.
 */
export function describeFile({ source, name, bytes, mimeType }: MediaFile): Json {
	if (!bytes) return { ...source, name };
	const rest = Object.fromEntries(Object.entries(source).filter(([key]) => key !== 'content'));
	return { ...rest, name, mimeType, size: bytes.length };
}

export function withMedia(body: Json, media: Json[]): Json {
	return isJson(body.mo) ? { ...body, mo: { ...body.mo, media } } : body;
}
