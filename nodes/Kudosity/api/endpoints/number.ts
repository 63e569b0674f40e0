import { z } from 'zod/v4';
import {
	count,
	idString,
	ifPossible,
	read,
	replace,
	send,
	textOrNone,
	textDetails,
	anyObject,
} from '../endpoint';
import { numberedList } from '../lists';

export const numberFilters = ['available', 'owned'] as const;

function virtualNumber() {
	return z.looseObject(textDetails('number'));
}

/** Numbers available for lease have only `number` and `price` (per month, in the account's currency). */
export const getNumbers = numberedList({
	path: '/get-numbers.json',
	records: 'numbers',
	total: 'numbers_total',
	record: virtualNumber,
	identify: ({ number }) => textOrNone(number),
});

export const getNumber = read({ method: 'POST', path: '/get-number.json', answer: virtualNumber });

/** Leases a number and charges the first month. If no number is given, the service picks one. */
export const leaseNumber = send({
	path: '/lease-number.json',
	answer: () => z.looseObject({ number: idString }),
});

/** Fields that are left out don't change. The response is empty. */
export const editNumberOptions = replace({
	method: 'POST',
	path: '/edit-number-options.json',
	answer: anyObject,
});

function formatted() {
	return z.looseObject({
		...textDetails('countrycode', 'nationalnumber', 'national_leading_zeroes', 'international'),
		type: ifPossible(count),
	});
}

/** `type` is 0 for a landline, 1 for a mobile and 10 for an invalid number. */
export const formatNumber = read({
	method: 'POST',
	path: '/format-number.json',
	answer: () => z.looseObject({ number: formatted() }).transform(({ number }) => number),
});
