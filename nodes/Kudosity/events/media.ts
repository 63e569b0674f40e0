import { isJson, type Json } from '../api/json';
import { sniffMimeType } from './sniffMimeType';

/** One file of an MMS. Without `bytes` its content could not be read and stays where it is. */
export type MediaFile = {
	name: string;
	source: Json;
	bytes?: Buffer;
	mimeType?: string;
	issue?: string;
};

const dataUrlPrefix = /^data:[^,]{0,200};base64,/;

const withoutPadding = (text: string): string => {
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	return text.slice(0, text.length - padding);
};

/** Node skips what is no base64, so that the length of what it read tells whether all of it was. */
const decodeExactly = (content: string): Buffer | undefined => {
	const text = withoutPadding(content);
	const bytes = Buffer.allocUnsafe(Math.floor((text.length * 3) / 4));
	const isWhole = bytes.write(text, 'base64') === bytes.length;
	return isWhole && text.length % 4 !== 1 ? bytes : undefined;
};

/** Base64 comes in one piece; with line breaks or as a data URL it takes a second look. */
const decodeBase64 = (content: string): Buffer | undefined =>
	decodeExactly(content) ?? decodeExactly(content.replace(dataUrlPrefix, '').replace(/\s+/g, ''));

const readFile = (source: unknown, index: number): MediaFile => {
	const fields = isJson(source) ? source : { value: source };
	const name =
		typeof fields.name === 'string' && fields.name !== '' ? fields.name : `file-${index}`;
	const file = { name, source: fields };
	if (typeof fields.content !== 'string') {
		return { ...file, issue: `mo.media.${index}.content: missing` };
	}
	const bytes = decodeBase64(fields.content);
	if (!bytes) return { ...file, issue: `mo.media.${index}.content: is not base64` };
	const mimeType = sniffMimeType(bytes, name);
	return bytes.length === 0
		? { ...file, bytes, mimeType, issue: `mo.media.${index}.content: is empty` }
		: { ...file, bytes, mimeType };
};

/** The files of an inbound MMS, decoded; none for any other event. Never throws. */
export const readMedia = (body: Json): MediaFile[] =>
	isJson(body.mo) && Array.isArray(body.mo.media) ? body.mo.media.map(readFile) : [];

/** What stays of a file in the JSON once its bytes are elsewhere: name, type, size in bytes. */
export const describeFile = ({ source, name, bytes, mimeType }: MediaFile): Json => {
	if (!bytes) return { ...source, name };
	const rest = Object.fromEntries(Object.entries(source).filter(([key]) => key !== 'content'));
	return { ...rest, name, mimeType, size: bytes.length };
};

/** The event with other entries in place of its files. */
export const withMedia = (body: Json, media: Json[]): Json =>
	isJson(body.mo) ? { ...body, mo: { ...body.mo, media } } : body;
