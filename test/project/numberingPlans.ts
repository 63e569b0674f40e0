import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MetadataJson } from 'libphonenumber-js/core';

/** A country as libphonenumber-js stores it: an array, of which these places are read. */
type Stored = Array<unknown>;
type Pattern = [pattern?: string, lengths?: number[]] | 0 | undefined;
const place = {
	callingCode: 0,
	internationalPrefix: 1,
	lengths: 3,
	trunkPrefix: 5,
	trunkPattern: 7,
	trunkTransform: 8,
	leadingDigits: 10,
	types: 11,
} as const;

const metadata = JSON.parse(
	readFileSync(
		createRequire(import.meta.url).resolve('libphonenumber-js/metadata.max.json'),
		'utf8',
	),
) as MetadataJson & { nonGeographic: Record<string, unknown> };

const countries = metadata.countries as unknown as Record<string, Stored>;
const nonGeographic = metadata.nonGeographic as Record<string, Stored>;

/** National numbers reserved for stories and examples, where libphonenumber does not know them. */
const reserved: Record<string, string> = {
	// Ofcom: 07700 900000 to 900999; ARCEP: 06 39 98 00 00 to 99 99; ComReg: 020 910 0000 to 919 9999.
	GB: '7700900\\d{3}',
	FR: '63998\\d{4}',
	IE: '2091\\d{5}',
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const short = (pattern: string): string => {
	const shortened = pattern.replaceAll('\\d', '#');
	if (/[\\ ]/.test(shortened))
		throw new Error(`${pattern} has signs that the file has no room for`);
	return shortened;
};

/** Patterns that are only tested need no groups that capture. */
const shortTest = (pattern: string): string => short(pattern).replaceAll('(?:', '(');

const alternatives = (patterns: string[]): string => patterns.filter(Boolean).join('|');

/** The patterns of mobile numbers, and of all others. An empty one of mobiles is the one of fixed lines. */
const validNumbers = (types: Pattern[], example = ''): [mobile: string, other: string] => {
	const [fixed = '', mobile = '', ...others] = Array.from(types, (type) =>
		type ? (type[0] ?? '') : '',
	);
	return mobile
		? [alternatives([mobile, example]), alternatives([fixed, ...others])]
		: [alternatives([fixed, example]), alternatives(others)];
};

const lineOf = (stored: Stored, example?: string): string => {
	const types = (stored[place.types] || []) as Pattern[];
	const [mobile, other] = validNumbers(types, example);
	const trunkPrefix = text(stored[place.trunkPrefix]);
	return [
		text(stored[place.callingCode]),
		(stored[place.lengths] as number[]).join(),
		short(text(stored[place.leadingDigits])),
		trunkPrefix,
		short(text(stored[place.trunkPattern]) || trunkPrefix),
		text(stored[place.trunkTransform]),
		short(text(stored[place.internationalPrefix])),
		shortTest(mobile),
		shortTest(other),
	]
		.map((field) => field || '-')
		.join(' ');
};

const codes = Object.values(
	metadata.country_calling_codes as unknown as Record<string, string[]>,
).flat();

/** A line for each country; of those that share a calling code, the main one comes first. */
export const numberingPlans = (): Record<string, string> =>
	Object.fromEntries([
		...codes.map((code) => [code, lineOf(countries[code]!, reserved[code])]),
		...Object.entries(nonGeographic).map(([code, stored]) => [`+${code}`, lineOf(stored)]),
	]);

/** The countries' English names by their ISO codes, sorted by name. */
export const countryNames = (): Record<string, string> => {
	const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
	return Object.fromEntries(
		codes
			.map((code): [string, string] => [code, names.of(code) ?? code])
			.sort(([, one], [, other]) => one.localeCompare(other, 'en')),
	);
};
