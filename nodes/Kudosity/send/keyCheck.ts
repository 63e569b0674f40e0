import { InputError } from '../api/errors';
import type { Attempt, Prepared } from './attempt';

/** What code writes where a value is missing, or where a method lacks its parentheses. */
const missingPiece = /^(?:undefined|null|NaN)$/;
const missingAnywhere = /\[object [^\]]*\]|\[native code\]|Invalid Date|=>/;

const separators = /[-_:|/\s]+/;

const refusal = (what: string, remedy: string) =>
	new InputError(`'Options > Deduplication Key' ${what}`, remedy);

/**
 * A key with a missing value inside would be the same for many items, so all but the first would get no message.
 *
 * @throws InputError
 */
export function checkKey({ deduplicationKey: key }: Attempt['options']): void {
	if (key === undefined) return;
	if (/\{\{[^]*\}\}/.test(key)) throw refusal('is fixed text', 'Switch it to Expression');
	const missing = key.split(separators).find((piece) => missingPiece.test(piece));
	const found = missing ?? missingAnywhere.exec(key)?.[0];
	if (found === undefined) return;
	throw refusal(
		`has “${found}” where a value is missing`,
		"Use values that every item has, or filter out items without them. For items that need no key, use a second node without 'Deduplication Key'",
	);
}

/** Order lines of one person may share a key; so many people share one by mistake only. */
const maxRecipients = 2;

/**
 * Refuses the items whose key belongs to three or more different recipients: only the first would get a message.
 * Otherwise returns the items as they are.
 */
export function refuseSharedKeys(items: Prepared[]): Prepared[] {
	const recipientsOf = new Map<string, Set<string>>();
	for (const each of items) {
		if ('error' in each || !each.to) continue;
		const { deduplicationKey: key } = each.options;
		if (key === undefined) continue;
		recipientsOf.set(key, (recipientsOf.get(key) ?? new Set()).add(JSON.stringify(each.to)));
	}
	return items.map((each): Prepared => {
		if ('error' in each) return each;
		const recipients = recipientsOf.get(each.options.deduplicationKey ?? '')?.size ?? 0;
		if (recipients <= maxRecipients) return each;
		const { item, isDry } = each;
		const error = refusal(
			`is the same for ${recipients} different recipients, so only the first would get a message`,
			'Include the recipient, e.g. spring-sale-{{ $json.phone }}',
		);
		return { item, isDry, error };
	});
}
