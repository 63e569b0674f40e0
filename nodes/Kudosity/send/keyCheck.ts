import { InputError } from '../api/errors';
import type { Recipients } from '../fields/operation';
import type { SendOptions } from '../fields/sendOptions';
import { personOf } from '../lib/personOf';
import { type Prepared, refused } from './attempt';

/**
 * Patterns for the strings that an expression produces if a value is missing, or if a method's parentheses are missing.
 * `missingPiece` is tested on the pieces between separators, `missingAnywhere` on the whole key.
 */
const missingPiece = /^(?:undefined|null|NaN)$/;
const missingAnywhere = /\[object \w*\]|\[native code\]|Invalid Date|=>/;

const separators = /[-_:|/\s]+/;

const refusal = (what: string, remedy: string, option = 'Deduplication Key') =>
	new InputError(`'Options > ${option}' ${what}`, remedy);

/**
 * Refuses a key that contains an expression which is not evaluated, or a missing value. The key would be the same for
 * many items, and only the first of them would get a message.
 */
function checkText(key: string, option: string): void {
	const hasBraces = key.includes('{{') && key.indexOf('{{') < key.lastIndexOf('}}');
	if (hasBraces) throw refusal('is fixed text', 'Switch the field to Expression', option);
	const missing = key.split(separators).find((piece) => missingPiece.test(piece));
	const found = missing ?? missingAnywhere.exec(key)?.[0];
	if (found === undefined) return;
	throw refusal(
		`has “${found}” where a value is missing`,
		`Use values that every item has, or filter out items without them. For items that don't need a '${option}', use a second node without it`,
		option,
	);
}

const onePerPerson = (problem: string, remedy: string) => refusal(problem, remedy, 'Campaign Name');

/**
 * Returns the key that only one message may have, if there is one. Case and extra spaces in campaign names are ignored,
 * because users don't always write a name the same way.
 *
 * @throws InputError - the key has a missing value, or Campaign Name can't be used for this item
 */
export function keyOf({ deduplicationKey: key, campaignName }: SendOptions, to: Recipients) {
	if (key !== undefined) checkText(key, 'Deduplication Key');
	if (campaignName === undefined) return key;
	checkText(campaignName, 'Campaign Name');
	if (key !== undefined) {
		throw onePerPerson(
			"can't be used with 'Deduplication Key'",
			'Remove one of them: a campaign already creates a key for each person',
		);
	}
	if (!('numbers' in to)) {
		throw onePerPerson(
			"can't be used with a contact list",
			'Only after a message is sent does Kudosity report who got it. Send to the active contacts from List → Get Contacts instead',
		);
	}
	if (to.numbers.length > 1) {
		throw onePerPerson(
			'needs one recipient per item',
			'Use Split Out to make each recipient a separate item. Bulk SMS still sends them together',
		);
	}
	const name = campaignName.toLowerCase().replace(/\s+/g, ' ').trim();
	return to.numbers.map((number) => `campaign ${name} ${personOf(number)}`)[0];
}

/**
 * How many different recipients may share a key. Two can be intended, e.g. if one person uses two phone numbers in an
 * order. Three or more share a key only by mistake.
 */
const maxRecipients = 2;

/**
 * Refuses items whose key is shared by three or more different recipients, because only the first would get a message.
 * Returns all other items unchanged.
 */
export function refuseSharedKeys(items: Prepared[]): Prepared[] {
	const recipientsOf = new Map<string, Set<string>>();
	for (const each of items) {
		if ('error' in each || !each.to || each.skip) continue;
		const { deduplicationKey: key } = each.options;
		if (key === undefined) continue;
		recipientsOf.set(key, (recipientsOf.get(key) ?? new Set()).add(JSON.stringify(each.to)));
	}
	return items.map((each): Prepared => {
		if ('error' in each) return each;
		const recipients = recipientsOf.get(each.options.deduplicationKey ?? '')?.size ?? 0;
		if (recipients <= maxRecipients) return each;
		const error = refusal(
			`is the same for ${recipients} different recipients, so only the first would get a message`,
			"To send each person one message, set 'Campaign Name' instead. Otherwise, include a value that differs, e.g. order-{{ $json.orderNumber }}",
		);
		return refused(each, error);
	});
}
