import { shortNumber } from '../../api/privacy';
import { readPhoneNumber, type PhoneContext } from './readPhoneNumber';

type RefusedRecipient = {
	/** Place in the list, from 1, empty places included. */
	position: number;
	/** The end of what stood there; empty where it was no text. */
	number: string;
	reason: string;
	remedy: string;
};

export type Recipients = {
	/** E.164 digits, each number once, in the order of the list. */
	numbers: string[];
	refused: RefusedRecipient[];
};

const separators = /[,;\t\r\n\uff0c\uff1b\u3001]/;

const entriesOf = (value: unknown): unknown[] => {
	if (Array.isArray(value)) return value.flatMap(entriesOf);
	// A line that ends as Windows ends it has one end.
	return typeof value === 'string' ? value.replaceAll('\r\n', '\n').split(separators) : [value];
};

const isEmpty = (entry: unknown): boolean =>
	entry === undefined || entry === null || (typeof entry === 'string' && entry.trim() === '');

const shown = (entry: unknown): string =>
	typeof entry === 'string' || typeof entry === 'number'
		? shortNumber(String(entry).replace(/\s/g, ''))
		: '';

/**
 * The numbers of a list: one number, a text with commas, semicolons, tabs or lines, or an array of them, also
 * nested. Empty places are left out; what is no number is reported, and never stops the others.
 */
export const readRecipients = (value: unknown, context: PhoneContext): Recipients => {
	const numbers = new Set<string>();
	const refused: RefusedRecipient[] = [];
	for (const [index, entry] of entriesOf(value).entries()) {
		const read = isEmpty(entry) ? undefined : readPhoneNumber(entry, context);
		if (read && 'number' in read) numbers.add(read.number);
		else if (read) {
			const { reason, remedy } = read;
			refused.push({ position: index + 1, number: shown(entry), reason, remedy });
		}
	}
	return { numbers: [...numbers], refused };
};
