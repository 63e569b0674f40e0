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

/** What a pattern has at its top level: digits of which either may come. */
const alternativesIn = (pattern: string): string[] => {
	const found = [''];
	let depth = 0;
	for (const sign of pattern) {
		if (sign === '(') depth++;
		if (sign === ')') depth--;
		if (sign === '|' && depth === 0) found.push('');
		else found.push(found.pop() + sign);
	}
	return found;
};

type Patterns = { mobile: string; fixed: string; others: string[] };

/** An empty pattern of mobiles is the one of fixed lines: `=` says that nobody can tell them apart. */
const validNumbers = (stored: Stored, example = ''): Patterns => {
	const types = (stored[place.types] || []) as Pattern[];
	const [fixed = '', mobile = '', ...rest] = Array.from(types, (type) =>
		type ? (type[0] ?? '') : '',
	);
	const others = rest.flatMap(alternativesIn).filter(Boolean);
	return mobile
		? { mobile: alternatives([mobile, example]), fixed, others }
		: { mobile: alternatives([fixed, example]), fixed: fixed && '=', others };
};

/** Where a country has all that the main one of its calling code has, `&` stands for that. */
const othersBeside = (others: string[], main: Stored | undefined): string[] => {
	const shared = main ? validNumbers(main).others : [];
	const hasAll = shared.length > 0 && shared.every((pattern) => others.includes(pattern));
	return hasAll ? [...others.filter((pattern) => !shared.includes(pattern)), '&'] : others;
};

const lineOf = (stored: Stored, { main, example }: { main?: Stored; example?: string } = {}) => {
	const { mobile, fixed, others } = validNumbers(stored, example);
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
		shortTest(fixed),
		shortTest(alternatives(othersBeside(others, main))),
	]
		.map((field) => field || '-')
		.join(' ');
};

const codesTogether = Object.values(
	metadata.country_calling_codes as unknown as Record<string, string[]>,
);
const codes = codesTogether.flat();

const linesOf = ([first = '', ...others]: string[]): Array<[code: string, line: string]> => {
	const main = countries[first]!;
	return [
		[first, lineOf(main, { example: reserved[first] })],
		...others.map((code): [string, string] => [
			code,
			lineOf(countries[code]!, { main, example: reserved[code] }),
		]),
	];
};

/** A line for each country; of those that share a calling code, the main one comes first. */
export const numberingPlans = (): Record<string, string> =>
	Object.fromEntries([
		...codesTogether.flatMap(linesOf),
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
