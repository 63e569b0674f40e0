import { maxDepth, isDeeperThan, isJson, type Json, parseJson } from '../lib/json';
import { inAnyCase, isBlank } from '../lib/text';
import { markedAs, type PhoneMark, refuse, type ReadContext, takingPhones } from './field';
import {
	type CleanPhone,
	type Phones,
	type Recipients,
	shortEntry,
	unusablePhone,
} from './phone/phones';

/**
 * Whether a value is text or a number. NaN is neither: it results from arithmetic with a missing value, and as text, it
 * would be the same for every item.
 */
export function isText(value: unknown): value is string | number {
	return typeof value === 'string' || Number.isFinite(value);
}

/** Reads any text. Numbers and booleans are accepted, too, because spreadsheets return numbers as numbers. */
function anyText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (isText(value) || typeof value === 'boolean') return String(value);
	return refuse(
		'is not text',
		'The expression returned a list, an object, a date or NaN. Use a text, or convert the value to one',
	);
}

/** Reads any text, unchanged. Text without any visible character counts as empty and is refused. */
export function requiredText(value: unknown): string {
	const text = anyText(value);
	if (!isBlank(text)) return text;
	const remedy = 'Enter a value, or check what the expression returns';
	return refuse('is empty', remedy, undefined, { kind: 'empty' });
}

/** Reads text like `requiredText`, and trims it. */
export function trimmedText(value: unknown): string {
	return requiredText(value).trim();
}

/** Reads any text, unchanged. Returns undefined if the field is empty. */
export function optionalText(value: unknown): string | undefined {
	const text = anyText(value);
	return isBlank(text) ? undefined : text;
}

/** Makes a reader optional: the new reader returns undefined if the field is empty. */
export function optional<Value, Rest extends unknown[]>(
	read: ((value: string, ...rest: Rest) => Value) & PhoneMark,
) {
	return markedAs(read, (value: unknown, ...rest: Rest): Value | undefined => {
		const text = optionalText(value);
		return text === undefined ? undefined : read(text, ...rest);
	});
}

/** Reads and trims text of a limited length. */
export const textOfLength =
	({ min, max }: { min: number; max: number }) =>
	(value: unknown): string => {
		const text = trimmedText(value);
		if (text.length >= min && text.length <= max) return text;
		return refuse(`must have ${min} to ${max} characters`, 'Use a shorter or longer text');
	};

/** Reads text of at most `max` characters. Doesn't trim it. */
export const atMostLong =
	(max: number) =>
	(text: string): string =>
		text.length <= max ? text : refuse(`is longer than ${max} characters`, 'Shorten it');

/** Reads a v1 ID, which is a number. 0 is refused, because to v1, it means all lists. */
export const numberId =
	(what: string, remedy: string) =>
	(value: unknown): string => {
		const id = trimmedText(value);
		return /^[1-9]\d{0,15}$/.test(id) ? id : refuse(`is not the ID of ${what}`, remedy);
	};

/** Reads an ID for a URL path. Slashes and dots are refused, because they could make the path lead elsewhere. */
export function recordId(value: unknown): string {
	const id = trimmedText(value);
	if (/^[\w-]{1,100}$/.test(id)) return id;
	return refuse(
		'is not an ID',
		'Use the ID from Kudosity: letters, digits and hyphens, e.g. 67e3e4af-62e8-4515-8b67-6f20d0c51ffb',
	);
}

/**
 * Reads one string or number, or a list of them, nested to any depth. Returns trimmed strings, and omits empty ones.
 */
export function textList(value: unknown): string[] {
	const entries = [value].flat(Infinity).filter((entry) => entry !== undefined && entry !== null);
	if (entries.every(isText)) {
		return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
	}
	return refuse(
		'must be text, or a list of text values',
		'Use one value, several values, or an expression that returns a list',
	);
}

/** Reads a list as `textList` does, but each entry can contain several values, separated by `separator`. */
export const splitAt =
	(separator: RegExp) =>
	(value: unknown): string[] =>
		textList(value)
			.flatMap((entry) => entry.split(separator))
			.map((entry) => entry.trim())
			.filter((entry) => entry !== '');

/** Reads a comma-separated list of values. */
export const commaList = splitAt(/,/);

/**
 * Reads a list of words in any language. Line breaks, semicolons, vertical bars and the commas of other scripts also
 * separate words.
 */
export const wordList = splitAt(/[,，、،;；|\n]/);

/** Reads a list of words in which slashes separate words, too: “Yes/Y”. */
export const wordsWithSlashes = splitAt(/[,，、،;；|/\n]/);

/**
 * Makes a reader return undefined if the field was not added. A field that was added but is empty is still read,
 * because an empty field can have a meaning of its own, e.g. to remove a webhook's filter.
 */
export function ifAdded<Value, Rest extends unknown[]>(
	read: ((value: unknown, ...rest: Rest) => Value) & PhoneMark,
) {
	return markedAs(read, (value: unknown, ...rest: Rest): Value | undefined =>
		value === undefined ? undefined : read(value, ...rest),
	);
}

const numberThat =
	(isValid: (number: number) => boolean, problem: string, remedy: string) =>
	(value: unknown): number | undefined => {
		if (isBlank(value)) return undefined;
		const number = isText(value) ? Number(value) : NaN;
		return isValid(number) ? number : refuse(problem, remedy);
	};

/** Reads a whole number. Returns undefined if the field is empty. */
export function wholeNumber({ min, max = Infinity }: { min: number; max?: number }) {
	return numberThat(
		(number) => Number.isInteger(number) && number >= min && number <= max,
		`must be a whole number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`,
		'Enter a number, or check what the expression returns',
	);
}

/** Reads a number of at least `min`. Returns undefined if the field is empty. */
export function numberFrom(min: number) {
	return numberThat(
		(number) => number >= min && number < Infinity,
		`must be a number of at least ${min}`,
		'Enter a number, e.g. 14',
	);
}

/** Reads true or false, also as text, because spreadsheets return text. Returns undefined if the field is empty. */
export function trueOrFalse(value: unknown): boolean | undefined {
	if (isBlank(value)) return undefined;
	const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (plain === true || plain === 'true') return true;
	if (plain === false || plain === 'false') return false;
	return refuse(
		'must be true or false',
		'Use true or false, or an expression that returns one of them',
	);
}

/** Reads one of `values`, which must match exactly. */
export const oneOf =
	<const Values extends readonly string[]>(values: Values) =>
	(value: unknown): Values[number] =>
		values.find((each) => each === value) ??
		refuse('has an unknown value', `Use one of these: ${values.join(', ')}`);

/** Reads one of `values`. Returns undefined if the field is empty. */
export const optionalOneOf =
	<const Values extends readonly string[]>(values: Values) =>
	(value: unknown): Values[number] | undefined =>
		value === undefined || value === null || value === '' ? undefined : oneOf(values)(value);

/**
 * Reads one of `values`, ignoring case: the value may come from a response of the service, and its responses don't
 * capitalize these values consistently. Returns undefined if the field is empty.
 */
export function optionalInAnyCase<const Values extends readonly string[]>(values: Values) {
	const read = optionalOneOf(values);
	return (value: unknown): Values[number] | undefined => {
		const named = typeof value === 'string' ? inAnyCase(values, value.trim()) : undefined;
		return named ?? read(value);
	};
}

/** Reads any of `values`, ignoring case. Returns an empty array if the field is empty. */
export const anyOf =
	<const Values extends readonly string[]>(values: Values) =>
	(value: unknown): Array<Values[number]> => {
		const chosen = commaList(value).map((text) => inAnyCase(values, text));
		const wrong = chosen.indexOf(undefined);
		if (wrong === -1) return [...new Set(chosen.filter((each) => each !== undefined))];
		return refuse(
			`has an unknown value at position ${wrong + 1}`,
			`Use one or more of these: ${values.join(', ')}`,
		);
	};

/** Reads at least one of `values`. */
export function someOf<const Values extends readonly string[]>(values: Values) {
	const read = anyOf(values);
	return (value: unknown): Array<Values[number]> => {
		const chosen = read(value);
		if (chosen.length > 0) return chosen;
		return refuse('is empty', `Use one or more of these: ${values.join(', ')}`);
	};
}

/** Reads a JSON object, or text that contains one. An empty object is refused. */
export function jsonObject(value: unknown): Json {
	const object = typeof value === 'string' ? parseJson(value)?.value : value;
	if (!isJson(object)) {
		return refuse('is not a JSON object', 'Use an object in curly braces, e.g. {"type": "image"}');
	}
	if (isDeeperThan(maxDepth, object)) {
		return refuse('is nested too deeply', `Use at most ${maxDepth} levels`);
	}
	if (Object.keys(object).length > 0) return object;
	return refuse('is empty', 'Enter at least one key, e.g. {"type": "image"}');
}

/** @throws Error - a programming error: the operation has no field that takes phone numbers */
export function phonesOf({ phones }: ReadContext): Phones {
	if (!phones) throw new Error('The operation does not say that it takes phone numbers');
	return phones;
}

const numberOr = (code: 'invalid_number' | 'invalid_sender', reader: 'number' | 'named') =>
	takingPhones((value: unknown, scope: ReadContext): string => {
		const read = phonesOf(scope)[reader](value, scope.defaultCountry);
		if ('number' in read) return read.number;
		const { reason, remedy, kind } = read;
		return refuse(reason, remedy, code, { kind, value: shortEntry(value) });
	});

/** Reads a phone number as E.164 digits, without the plus. */
export const phoneNumber = numberOr('invalid_number', 'number');

/** Describes any value as a phone number, even an empty value or the error of a failing expression. Never refuses. */
export const anyPhoneNumber = takingPhones(
	(value: unknown, scope: ReadContext): CleanPhone =>
		value instanceof Error
			? unusablePhone("can't be read because its expression failed", value.message)
			: phonesOf(scope).clean(value, scope.defaultCountry),
);

/** Reads one of the account's numbers as E.164 digits. */
export const senderPhoneNumber = numberOr('invalid_sender', 'named');

/** Reads one of the account's numbers, a short code, or a name of at most 11 characters. */
export const senderAddress = takingPhones((value: unknown, scope: ReadContext): string => {
	const read = phonesOf(scope).sender(value, scope.defaultCountry);
	if ('sender' in read) return read.sender;
	return refuse(read.reason, read.remedy, 'invalid_sender', { value: shortEntry(value) });
});

/** Reads one of the account's numbers or a short code, because recipients can reply to those. */
export const senderNumber = takingPhones((value: unknown, scope: ReadContext): string => {
	const read = phonesOf(scope).sender(value, scope.defaultCountry);
	if (!('sender' in read)) return refuse(read.reason, read.remedy, 'invalid_sender');
	if (read.kind !== 'name') return read.sender;
	const problem = "is a name, and recipients can't reply to a name";
	return refuse(problem, 'Use one of your numbers', 'invalid_sender');
});

const listRemedy =
	'Use one number, several separated by commas, or an expression that returns a list of numbers';

/** Reads a list of phone numbers, of which at least one must be valid. Invalid entries are returned in `refused`. */
export const phoneNumbers = takingPhones((value: unknown, scope: ReadContext): Recipients => {
	if (isJson(value)) {
		return refuse('is not a list of phone numbers', listRemedy, 'invalid_number');
	}
	const recipients = phonesOf(scope).recipients(value, scope.defaultCountry);
	if (recipients.numbers.length > 0) return recipients;
	const [first] = recipients.refused;
	return first
		? refuse(
				`has no valid phone number: the entry at position ${first.position} ${first.reason}`,
				first.remedy,
				'invalid_number',
				{ value: first.number },
			)
		: refuse('is empty', listRemedy, 'invalid_number', { kind: 'empty' });
});
