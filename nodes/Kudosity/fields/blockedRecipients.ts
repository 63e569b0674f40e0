import { settleNow } from '../lib/async';
import { isBlank } from '../lib/text';
import { type Read, type ReadContext, Refusal, refuse, takingPhones, textField } from './field';
import { textOfNumber } from './phone/phoneText';
import { shortCode } from './phone/phones';
import { isText, phonesOf } from './readers';
import { type Covers, covering, type Entry, readEntry, separator } from './recipientList';

/** The expression that most users need. */
export const allRows = "{{ $('Get opt-outs').all().map((row) => row.json.phone) }}";

const rowsRemedy = `Use all rows from a node, e.g. ${allRows}`;

/** Where the list of Blocked Recipients comes from. */
export type ListOrigin = {
	/** Whether a user typed in the list. Otherwise, an expression reads it, which may return the wrong column. */
	isTyped: boolean;
	/** Whether the list's node had no output, so n8n added an empty item (Always Output Data). */
	isEmptyRow(): boolean;
	/** How many rows each of the list's source nodes returned. */
	countRows(): number[];
	/** Finds the node after the list's node that lacks Execute Once, so that n8n runs it once for each row of the list. */
	findNodeForEachRow(): string | undefined;
	/** Whether the rows that go into the current node's loop are there several times: one of `multiples`. */
	isLoopRepeated(multiples: number[]): boolean;
};

export type BlockedList = {
	size: number;
	/** Whether an expression returned only this number, maybe several times. The number is E.164 digits. */
	isOnly(number: string): boolean;
	/**
	 * Numbers that may be the number of opt-outs. If each message is in the input that many times, `nodeForEachRow` ran
	 * once for each opt-out by mistake (see `refuseMultiplied`).
	 */
	multiples: number[];
	/** The node that n8n runs once for each opt-out, because it lacks Execute Once. */
	nodeForEachRow?: string;
	/** Whether the rows that go into the node's loop are there several times. */
	isLoopRepeated: boolean;
	covers: Covers;
};

/**
 * Splits a list into its entries. Unlike other lists, this one keeps blank entries, because each may stand for somebody
 * who must be blocked.
 */
function entriesOf(value: unknown, { isTyped, isEmptyRow }: ListOrigin): unknown[] {
	if (Array.isArray(value)) {
		const isMadeUp = value.length === 1 && value[0] === undefined && isEmptyRow();
		return isMadeUp ? [] : value;
	}
	if (isBlank(value)) {
		const remedy = 'An expression also returns nothing if its code fails';
		return refuse('is empty', `Check what the expression returns. ${remedy}. ${rowsRemedy}`);
	}
	if (!isText(value)) return refuse('is not a list', rowsRemedy);
	if (isTyped && String(value).includes('{{')) {
		return refuse('is fixed text', 'Switch the field to Expression');
	}
	const entries = String(value).trim().split(separator);
	return isTyped && isBlank(entries.at(-1)) ? entries.slice(0, -1) : entries;
}

const codePoint = (char: string): string =>
	`U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Describes a blank value, because users can't see it. */
function describeBlank(value: unknown): string {
	if (value === undefined) return 'has no value';
	if (value === null) return 'is null';
	const codes = [...String(value)].slice(0, 5).map(codePoint);
	return codes.length === 0 ? 'is empty' : `contains nothing visible (${codes.join(' ')})`;
}

const invisible = /[^\P{C}\r\n\t]/gu;

/** Lists an entry's invisible characters for its error. */
function invisibleIn(text: string): string {
	const codes = [...new Set(text.match(invisible))].slice(0, 3).map(codePoint);
	return codes.length === 0 ? '' : `, with the invisible ${codes.join(' ')}`;
}

/** @throws Refusal - the entry can't be read. The error doesn't quote the entry, because it may be a phone number */
function readBlockedEntry(
	value: unknown,
	place: string,
	{ isInText, ...reading }: Parameters<typeof readEntry>[2] & { isInText: boolean },
): Entry {
	if (isBlank(value)) {
		return refuse(
			`has an entry without a number: the one ${place} ${describeBlank(value)}`,
			`The entry may stand for someone who should be skipped, so nothing was sent. Remove it, or check the column name in the expression, e.g. ${allRows}`,
		);
	}
	if (!isText(value)) return refuse(`has an entry that is not text: the one ${place}`, rowsRemedy);
	const text = typeof value === 'number' ? textOfNumber(value) : String(value).trim();
	// If the expression returns the wrong column, an entry "no" would be read as the country Norway, and only Norwegian
	// numbers would be blocked.
	if (!isInText && /^[a-z]{2}$/i.test(text)) {
		return refuse(
			`has an entry that is not a phone number: the one ${place}`,
			'Check the column name in the expression. Countries must be text, e.g. AU, NZ',
		);
	}
	const entry = settleNow(() => readEntry(text, place, reading));
	if (entry.status === 'fulfilled') return entry.value;
	const refusal: unknown = entry.reason;
	if (!(refusal instanceof Refusal)) throw refusal;
	return refuse(`${refusal.problem}${invisibleIn(text)}`, refusal.remedy);
}

/**
 * Whether an entry has at most as many digits as a short code. A list that has only such entries is the wrong column,
 * such as customer numbers or postcodes.
 */
const isShort = (entry: Entry): boolean =>
	'numbers' in entry && entry.numbers.every((number) => shortCode.test(number));

/**
 * Reads the value of Blocked Recipients. The list is the same for all items, so `scope` must not have the default
 * country of a single item.
 */
export function readBlocked(value: unknown, scope: ReadContext, origin: ListOrigin): BlockedList {
	const phones = phonesOf(scope);
	const read = (text: string) => phones.everyone(text, scope.defaultCountry);
	const reading = { phones, read, isInText: !Array.isArray(value) };
	const values = entriesOf(value, origin);
	const entries = Array.from(values, (each, index) =>
		readBlockedEntry(each, `at position ${index + 1} of ${values.length}`, reading),
	);
	const size = entries.length;
	if (!origin.isTyped && size > 0 && entries.every(isShort)) {
		return refuse(
			'has no phone number, only numbers of 3 to 8 digits, so nobody who opted out would be skipped',
			`Check the column name in the expression, e.g. ${allRows}`,
		);
	}
	const distinct = new Set(values).size;
	const multiples = [...new Set([size, distinct, ...origin.countRows()])].filter((n) => n > 1);
	const isOnly = (number: string) =>
		!origin.isTyped &&
		size > 0 &&
		entries.every((entry) => 'numbers' in entry && entry.numbers.includes(number));
	return {
		...{ size, isOnly, multiples },
		nodeForEachRow: origin.findNodeForEachRow(),
		isLoopRepeated: origin.isLoopRepeated(multiples),
		covers: covering(entries, phones, 'blocked'),
	};
}

const typed: ListOrigin = {
	isTyped: true,
	isEmptyRow: () => false,
	countRows: () => [],
	findNodeForEachRow: () => undefined,
	isLoopRepeated: () => false,
};

const readTyped: Read<BlockedList | undefined> = (value, scope) =>
	isBlank(value) ? undefined : readBlocked(value, scope, typed);

export const blockedRecipients = textField(takingPhones(readTyped), {
	displayName: 'Blocked Recipients',
	name: 'blockedRecipients',
	placeholder: 'e.g. AU, +6421*, 61491570006',
	description: `Numbers, prefixes (+6149*) or countries (AU) to skip, or a list: ${allRows}`,
});
