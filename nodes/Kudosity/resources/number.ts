import {
	editNumberOptions,
	formatNumber,
	getNumber,
	getNumbers,
	leaseNumber,
	numberFilters,
} from '../api/endpoints/number';
import { accountNumber, country, readAccountNumber, requireChange } from '../fields/account';
import { forwarding, forwardingValues, forwardUrl } from '../fields/addresses';
import { options } from '../fields/collections';
import { field, type ReadContext, required, takingPhones } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { anyPhoneNumber, atMostLong, oneOf, optional, trimmedText } from '../fields/readers';
import { defineOperation, type Resource } from '../operation';

const filter = field(
	{
		displayName: 'Filter',
		name: 'filter',
		type: 'options',
		options: [
			{
				name: 'Available',
				value: 'available',
				description: 'Numbers that the account could lease',
			},
			{ name: 'Owned', value: 'owned', description: 'Numbers that the account has leased' },
		],
		default: 'owned',
		description: 'Which numbers to list',
	},
	oneOf(numberFilters),
);

/** GET /get-numbers.json: one item per number. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many numbers',
	description: 'List the numbers that the account has leased, or that it could lease',
	fields: [filter, ...listing],
	run: ({ list }, { filter, ...input }) => list(getNumbers, { filter }, readLimit(input)),
});

/** POST /get-number.json. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get number',
	description: 'Get a number that the account has leased, with its price and its next charge',
	fields: [accountNumber],
	run: async ({ call }, { number }) => await call(getNumber, { number }),
});

/** Empty in the panel means any number. An expression that returns nothing is refused. */
const numberField = required(
	field(
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			default: '',
			placeholder: 'e.g. 61491570156',
			description:
				'The number to lease, one that Virtual Number → Get Many lists as available. Leave empty to get any available number.',
		},
		optional(readAccountNumber),
	),
);

/** POST /lease-number.json. Not repeated: a second request would lease and charge for another number. */
export const lease = defineOperation({
	value: 'lease',
	name: 'Lease',
	action: 'Lease number',
	description:
		'Lease a phone number for the account. It costs money at once, and again every month until it is given up: not for tests or repeats.',
	fields: [numberField, options(required(forwardUrl))],
	once: true,
	run: async ({ call }, { number, options: { forwardUrl: url } }) =>
		await call(leaseNumber, { number, forward_url: url }, { deliversTo: url }),
});

/** POST /edit-number-options.json, which answers with an empty body. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update number',
	description:
		'Change what happens with messages that arrive at a number of the account: forward them, answer them, or add the people who write to a list. What is not set stays as it is.',
	fields: [accountNumber, options(...forwarding)],
	check: ({ options }) => void requireChange(forwardingValues(options)),
	run: async ({ call }, { number, options }) => {
		const values = { number, ...forwardingValues(options) };
		await call(editNumberOptions, values, { deliversTo: options.forwardUrl });
		return { number, updated: true };
	},
});

const short = atMostLong(40);

type Asked = { msisdn: string; countrycode?: string };

/** Reads a number as a send does, with its own country. Anything unreadable goes to the service as written. */
const phoneNumber = field(
	{
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 0491 570 006',
		description: 'The number as somebody wrote it, with or without a country code',
	},
	takingPhones((value: unknown, readContext: ReadContext): Asked => {
		const { number, country } = anyPhoneNumber(value, readContext);
		if (number === null) return { msisdn: short(trimmedText(value)) };
		return { msisdn: `+${number}`, ...(country !== null && { countrycode: country }) };
	}),
);

/** POST /format-number.json. */
export const format = defineOperation({
	value: 'format',
	name: 'Format',
	action: 'Format number',
	description:
		'Convert a phone number to international format and check it. Type is 0 for a landline, 1 for a mobile and 10 for an invalid number.',
	fields: [phoneNumber, country('The country of numbers that are written without a country code')],
	run: async ({ call }, { phoneNumber, country }) =>
		await call(formatNumber, { countrycode: country, ...phoneNumber }),
});

export const number: Resource = {
	value: 'number',
	name: 'Virtual Number',
	connection: 'basic',
	operations: [getAll, get, lease, update, format],
};
