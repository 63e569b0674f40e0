import { z } from 'zod/v4';
import { toArray } from '../../lib/async';
import { inAnyCase } from '../../lib/text';
import { replace, send, textDetails } from '../endpoint';
import { InputError } from '../errors';
import { numberedList } from '../lists';
import type { Service } from '../service';

export const keywordStatuses = ['Closed', 'Open'] as const;

/**
 * A keyword. The service sends phone numbers and keywords that consist of digits as numbers. Unset fields are empty.
 */
function keyword() {
	return z.looseObject({
		...textDetails('keyword', 'number', 'list_id', 'reference'),
		...textDetails('welcome_message', 'member_message', 'forward_sms'),
	});
}

export const addKeyword = send({ path: '/add-keyword.json', answer: keyword });

/** Fields that are left out don't change, except for the status: if it is left out, the keyword is opened. */
export const editKeyword = replace({ method: 'POST', path: '/edit-keyword.json', answer: keyword });

/**
 * The account's keywords. They have no ID, and `007` and `7` both arrive as 7, so only the whole record identifies a
 * keyword.
 */
export const getKeywords = numberedList({
	method: 'POST',
	path: '/get-keywords.json',
	records: 'keywords',
	total: 'keywords_total',
	record: keyword,
	identify: (one) => JSON.stringify(one),
});

/** Whether two keywords that consist of digits are the same number. Such a keyword arrives as a number: `007` as 7. */
function isSameNumber(keyword: string, given: string): boolean {
	return [keyword, given].every((each) => /^\d+$/.test(each)) && Number(keyword) === Number(given);
}

/**
 * Returns a keyword's status, or undefined if the keyword doesn't exist.
 *
 * @throws InputError - the keyword exists, but its status is unclear
 */
export async function keywordStatus(
	{ list }: Service,
	{ keyword, number }: { keyword: string; number: string },
): Promise<(typeof keywordStatuses)[number] | undefined> {
	const all = await toArray(list(getKeywords, { number }));
	const ofNumber = all.filter((one) => one.number === number);
	const written = ofNumber.filter((one) => inAnyCase([keyword], String(one.keyword)));
	const meant =
		written.length > 0
			? written
			: ofNumber.filter((one) => isSameNumber(keyword, String(one.keyword)));
	if (meant.length === 0) return undefined;
	const statuses = new Set(meant.map((one) => inAnyCase(keywordStatuses, String(one.status))));
	const [status] = statuses;
	if (status !== undefined && statuses.size === 1) return status;
	throw new InputError(
		`Kudosity did not say whether the keyword '${keyword}' is open, so this update could open it`,
		"Nothing was changed. Add 'Status' to the options",
	);
}
