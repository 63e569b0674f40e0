import { refuse } from '../refusal';

/** NaN comes from arithmetic with a missing value: as a text, it would be the same for every item. */
export const isText = (value: unknown): value is string | number =>
	typeof value === 'string' || Number.isFinite(value);

const isScalar = (value: unknown): value is string | number | boolean =>
	isText(value) || typeof value === 'boolean';

/** What an expression can deliver where text is expected: spreadsheets deliver numbers as numbers. */
const anyText = (value: unknown): string => {
	if (value === undefined || value === null) return '';
	return isScalar(value)
		? String(value)
		: refuse(
				'is not text',
				'The expression delivered a list, an object or NaN. Choose a field that has a value, e.g. {{ $json.name }}',
			);
};

/** Any text, untouched; whatever is only white space counts as empty. */
export const requiredText = (value: unknown): string => {
	const text = anyText(value);
	return text.trim() === ''
		? refuse('is empty', 'Enter a value, or check that the expression delivers one')
		: text;
};

/** The same without the white space around it. */
export const trimmedText = (value: unknown): string => requiredText(value).trim();

/** Optional text: an empty field counts as left out. */
export const optionalText = (value: unknown): string | undefined => {
	const text = anyText(value);
	return text.trim() === '' ? undefined : text;
};

/** What `read` makes of a text that is there. */
export const optional =
	<Value, Rest extends unknown[]>(read: (value: string, ...rest: Rest) => Value) =>
	(value: unknown, ...rest: Rest): Value | undefined => {
		const text = optionalText(value);
		return text === undefined ? undefined : read(text, ...rest);
	};

/** Text of a bounded length, without the white space around it. */
export const textOfLength =
	({ min, max }: { min: number; max: number }) =>
	(value: unknown): string => {
		const text = trimmedText(value);
		return text.length >= min && text.length <= max
			? text
			: refuse(`does not have ${min} to ${max} characters`, 'Use a shorter or a longer text');
	};

/** For texts that are sent as they are: at most so many characters. */
export const atMostLong =
	(max: number) =>
	(text: string): string =>
		text.length <= max ? text : refuse(`is longer than ${max} characters`, 'Shorten it');

/** An id of the older API: a number, and never 0, which it reads as all lists. */
export const numberId =
	(what: string, remedy: string) =>
	(value: unknown): string => {
		const id = trimmedText(value);
		return /^[1-9]\d{0,15}$/.test(id) ? id : refuse(`is not the ID of ${what}`, remedy);
	};

/** An id as it stands in a path. Slashes and dots could lead to another record, so they are refused. */
export const recordId = (value: unknown): string => {
	const id = trimmedText(value);
	return /^[\w-]{1,100}$/.test(id)
		? id
		: refuse(
				'is not an ID',
				'Use the ID as Kudosity shows it: letters, digits and hyphens, e.g. 67e3e4af-62e8-4515-8b67-6f20d0c51ffb',
			);
};
