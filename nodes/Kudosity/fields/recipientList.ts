import { personOf, spellingsOf } from '../lib/personOf';
import { refuse } from './field';
import { countryCode } from './phone/countries';
import type { PhoneRefusal } from './phone/phoneText';
import type { Phones } from './phone/phones';

/** Whether a list includes the person with this number, given as E.164 digits. */
export type Covers = (number: string) => boolean;

export type Entry = { country: string } | { prefix: string } | { numbers: string[] };

/** Matches the separator after an entry. A comma followed by a line break is one separator. */
export const separator = /[,;]?[ \t]*(?:\r\n|[\r\n])|[,;]/;

function readPrefix(text: string, place: string, phones: Phones): Entry {
	const prefix = phones.prefix(text.slice(0, -1));
	if (prefix !== undefined) return { prefix };
	return refuse(
		text === '*'
			? `has no number before the * ${place}`
			: `has an invalid prefix ${place}: no number begins with it`,
		'Start with + and the country code, e.g. +6149*. To send to all numbers, remove the limit',
	);
}

/** Reads a number, a prefix or a country. @param place - the entry's position for errors, e.g. "at position 3" */
export function readEntry(
	text: string,
	place: string,
	{ phones, read }: { phones: Phones; read(text: string): { numbers: string[] } | PhoneRefusal },
): Entry {
	if (/^[a-z]{2}$/i.test(text)) {
		const country = countryCode(text);
		if (country !== undefined) return { country };
		return refuse(`has an unknown country ${place}`, 'Use two-letter codes, e.g. AU');
	}
	if (text.endsWith('*')) return readPrefix(text, place, phones);
	const entry = read(text);
	if ('numbers' in entry) return entry;
	return refuse(
		`has an invalid entry: the one ${place} ${entry.reason}`,
		`Use numbers, prefixes such as +6149* and countries such as AU. ${entry.remedy}`,
	);
}

/**
 * Creates the check that tells whether a list covers a number. If in doubt, a number is blocked and not allowed: a
 * number that can belong to several countries is blocked if the list contains one of them, and allowed if it contains
 * all. An entry without a calling code blocks everybody who has these digits in any country, because Default Country
 * can be wrong for lists from elsewhere.
 */
export function covering(entries: Entry[], phones: Phones, purpose: 'blocked' | 'allowed'): Covers {
	const isBlockList = purpose === 'blocked';
	const named = entries.flatMap((entry) => ('numbers' in entry ? entry.numbers : []));
	const numbers = new Set(named.flatMap((number) => [number, personOf(number)]));
	const prefixes = entries.flatMap((entry) => ('prefix' in entry ? [entry.prefix] : []));
	const countries = new Set(
		entries.flatMap((entry) => ('country' in entry ? [entry.country] : [])),
	);
	const isNamed = (number: string) =>
		numbers.has(number) ||
		numbers.has(personOf(number)) ||
		(isBlockList && numbers.has(phones.national(number)));
	const hasPrefix = (number: string) => {
		const spellings = prefixes.length > 0 ? spellingsOf(number) : [];
		return prefixes.some((prefix) => spellings.some((each) => each.startsWith(prefix)));
	};
	const isInThem = (number: string) => {
		const all = countries.size > 0 ? phones.countries(number) : [];
		const listed = all.filter((code) => countries.has(code));
		return listed.length > 0 && (isBlockList || listed.length === all.length);
	};
	return (number) => isNamed(number) || hasPrefix(number) || isInThem(number);
}
