import { z } from 'zod/v4';
import { count, idString, ifPossible, read, replace, send, textOrNone } from '../endpoint';
import { numberedList } from '../lists';

/** Which numbers: those the account has leased, or those it could lease. */
export const numberFilters = ['available', 'owned'] as const;

const virtualNumber = () => z.looseObject({ number: ifPossible(idString) });

/** Those that are available carry only `number` and `price` (a month, account currency). */
export const getNumbers = numberedList({
	path: '/get-numbers.json',
	records: 'numbers',
	total: 'numbers_total',
	record: virtualNumber,
	identify: ({ number }) => textOrNone(number),
});

export const getNumber = read({
	method: 'POST',
	path: '/get-number.json',
	answer: virtualNumber,
});

/** Takes the price of the first month. Without a number, the service picks one. */
export const leaseNumber = send({
	path: '/lease-number.json',
	answer: () => z.looseObject({ number: idString }),
});

/** What is left out stays as it is; the answer says nothing. */
export const editNumberOptions = replace({
	method: 'POST',
	path: '/edit-number-options.json',
	answer: () => z.looseObject({}),
});

const formatted = () =>
	z.looseObject({
		countrycode: ifPossible(idString),
		nationalnumber: ifPossible(idString),
		national_leading_zeroes: ifPossible(idString),
		international: ifPossible(idString),
		type: ifPossible(count),
	});

/** `type` is 0 for a landline, 1 for a mobile and 10 for no valid number. */
export const formatNumber = read({
	method: 'POST',
	path: '/format-number.json',
	answer: () => z.looseObject({ number: formatted() }).transform(({ number }) => number),
});
