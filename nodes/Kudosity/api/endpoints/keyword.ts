import { z } from 'zod/v4';
import { replace, send } from '../endpoint';
import { numberedList } from '../lists';
import { idString, ifPossible } from '../schemas/common.schema';

const connection = 'basic';

/** Open keywords answer, closed ones do not. */
export const keywordStatuses = ['Closed', 'Open'] as const;

/** A keyword of digits, and all numbers, arrive as numbers. What is not set is empty. */
const keyword = () =>
	z.looseObject({
		keyword: ifPossible(idString),
		number: ifPossible(idString),
		list_id: ifPossible(idString),
		reference: ifPossible(idString),
		welcome_message: ifPossible(idString),
		member_message: ifPossible(idString),
		forward_sms: ifPossible(idString),
	});

export const addKeyword = send({ connection, path: '/add-keyword.json', answer: keyword });

/** What is left out stays as it is, but for the status: the keyword opens. */
export const editKeyword = replace({
	connection,
	method: 'POST',
	path: '/edit-keyword.json',
	answer: keyword,
});

/** A keyword has no ID: it is one of its number. */
export const getKeywords = numberedList({
	method: 'POST',
	path: '/get-keywords.json',
	records: 'keywords',
	total: 'keywords_total',
	record: keyword,
	identify: ({ keyword, number }) =>
		typeof keyword === 'string' && typeof number === 'string' ? `${keyword} ${number}` : undefined,
});
