import { type Read, refuse, type ReadContext, takingPhones, textField } from './field';
import { countryCode } from './phone/countries';
import { phonesOf, splitAt } from './readers';

/** Whether messages to this number are allowed; E.164 digits. */
type Allows = (number: string) => boolean;

type Entry = { country: string } | { prefix: string } | { number: string };

const readPrefix = (text: string, place: string): Entry => {
	const prefix = text.slice(0, -1).replace(/[\s().+-]/g, '');
	if (/^[1-9]\d*$/.test(prefix)) return { prefix };
	return refuse(
		`has no number before the * ${place}`,
		"Start with + and the country code, e.g. +6149*. To allow all numbers, remove 'Allowed Recipients'",
	);
};

const readEntry = (text: string, place: string, scope: ReadContext): Entry => {
	if (/^[a-z]{2}$/i.test(text)) {
		const country = countryCode(text);
		if (country !== undefined) return { country };
		return refuse(`has an unknown country ${place}`, 'Use two-letter codes, e.g. AU');
	}
	if (text.endsWith('*')) return readPrefix(text, place);
	const read = phonesOf(scope).number(text, scope.defaultCountry);
	if ('number' in read) return { number: read.number };
	return refuse(
		`has an invalid entry: the one ${place} ${read.reason}`,
		`Use numbers, prefixes such as +6149* and countries such as AU. ${read.remedy}`,
	);
};

const allowing = (entries: Entry[], scope: ReadContext): Allows => {
	const numbers = new Set(entries.flatMap((entry) => ('number' in entry ? [entry.number] : [])));
	const prefixes = entries.flatMap((entry) => ('prefix' in entry ? [entry.prefix] : []));
	const countries = new Set(
		entries.flatMap((entry) => ('country' in entry ? [entry.country] : [])),
	);
	const isInThem = (number: string) =>
		countries.size > 0 &&
		phonesOf(scope)
			.countries(number)
			.every((code) => countries.has(code));
	return (number) =>
		numbers.has(number) || prefixes.some((prefix) => number.startsWith(prefix)) || isInThem(number);
};

const entryList = splitAt(/[,;\r\n]/);

const readAllowed: Read<Allows | undefined> = (value, scope) => {
	const texts = entryList(value);
	if (texts.length === 0) return undefined;
	const entries = texts.map((text, index) => readEntry(text, `at position ${index + 1}`, scope));
	return allowing(entries, scope);
};

/** Caches the last result: thousands of items usually share one list, which can be long. */
const rememberingLast = <Value>(read: Read<Value>): Read<Value> => {
	let last: { value: unknown; country?: string; result: Value } | undefined;
	return (value, scope) => {
		if (last && last.value === value && last.country === scope.defaultCountry) return last.result;
		const result = read(value, scope);
		if (typeof value === 'string') last = { value, country: scope.defaultCountry, result };
		return result;
	};
};

export const allowedRecipients = textField(takingPhones(rememberingLast(readAllowed)), {
	displayName: 'Allowed Recipients',
	name: 'allowedRecipients',
	placeholder: 'e.g. AU, +6421*, 61491570006',
	description:
		'Only send to these numbers, prefixes (+6149*) or countries (AU), separated by commas. All other recipients are refused.',
});
