import { memoizeLast } from '../lib/async';
import { personOf, spellingsOf } from '../lib/personOf';
import { type Read, refuse, takingPhones, textField } from './field';
import { countryCode } from './phone/countries';
import type { Phones } from './phone/phones';
import { phonesOf, splitAt } from './readers';

/** Whether messages to this number are allowed; E.164 digits. */
type Allows = (number: string) => boolean;

type Entry = { country: string } | { prefix: string } | { number: string };

function readPrefix(text: string, place: string, phones: Phones): Entry {
	const prefix = phones.prefix(text.slice(0, -1));
	if (prefix !== undefined) return { prefix };
	return refuse(
		text === '*'
			? `has no number before the * ${place}`
			: `has a prefix that no number begins with ${place}`,
		"Start with + and the country code, e.g. +6149*. To allow all numbers, remove 'Allowed Recipients'",
	);
}

function readEntry(text: string, place: string, phones: Phones, country?: string): Entry {
	if (/^[a-z]{2}$/i.test(text)) {
		const code = countryCode(text);
		if (code !== undefined) return { country: code };
		return refuse(`has an unknown country ${place}`, 'Use two-letter codes, e.g. AU');
	}
	if (text.endsWith('*')) return readPrefix(text, place, phones);
	const read = phones.named(text, country);
	if ('number' in read) return { number: personOf(read.number) };
	return refuse(
		`has an invalid entry: the one ${place} ${read.reason}`,
		`Use numbers, prefixes such as +6149* and countries such as AU. ${read.remedy}`,
	);
}

function allowing(entries: Entry[], phones: Phones): Allows {
	const numbers = new Set(entries.flatMap((entry) => ('number' in entry ? [entry.number] : [])));
	const prefixes = entries.flatMap((entry) => ('prefix' in entry ? [entry.prefix] : []));
	const countries = new Set(
		entries.flatMap((entry) => ('country' in entry ? [entry.country] : [])),
	);
	const isInThem = (number: string) =>
		countries.size > 0 && phones.countries(number).every((code) => countries.has(code));
	const hasPrefix = (number: string) =>
		prefixes.some((prefix) => spellingsOf(number).some((each) => each.startsWith(prefix)));
	return (number) => numbers.has(personOf(number)) || hasPrefix(number) || isInThem(number);
}

const entryList = splitAt(/[,;\r\n]/);

/** Thousands of items usually share one list, which can be long. */
const readAllowed = memoizeLast((value: unknown, phones: Phones, country?: string) => {
	const texts = entryList(value);
	if (texts.length === 0) return undefined;
	const read = (text: string, index: number) =>
		readEntry(text, `at position ${index + 1}`, phones, country);
	return allowing(texts.map(read), phones);
});

const readShared: Read<Allows | undefined> = (value, scope) =>
	readAllowed(value, phonesOf(scope), scope.defaultCountry);

export const allowedRecipients = textField(takingPhones(readShared), {
	displayName: 'Allowed Recipients',
	name: 'allowedRecipients',
	placeholder: 'e.g. AU, +6421*, 61491570006',
	description:
		'Only send to these numbers, prefixes (+6149*) or countries (AU), separated by commas. All other recipients are refused.',
});
