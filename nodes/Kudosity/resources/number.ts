import {
	editNumberOptions,
	formatNumber,
	getNumber,
	getNumbers,
	leaseNumber,
	numberFilters,
} from '../api/endpoints/number';
import { accountNumber, country, readAccountNumber, requireChange } from '../fields/recordFields';
import { forwarding, forwardingValues, forwardUrl } from '../fields/addresses';
import { options } from '../fields/collections';
import { field, type ReadContext, required, takingPhones, textField } from '../fields/field';
import { readLimit, listing, simplify } from '../fields/listing';
import { anyPhoneNumber, atMostLong, oneOf, optional, trimmedText } from '../fields/readers';
import { defineOperation, type Resource } from '../fields/operation';

const filter = field(oneOf(numberFilters), {
	displayName: 'Filter',
	name: 'filter',
	type: 'options',
	options: [
		{ name: 'Available', value: 'available', description: 'Numbers you can lease' },
		{ name: 'Owned', value: 'owned', description: 'Numbers you have leased' },
	],
	default: 'owned',
	description: 'Which numbers to get',
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many numbers',
	description: 'Get the numbers you have leased, or those you can lease',
	fields: [filter, ...listing],
	run: ({ list }, { filter, ...input }) => list(getNumbers, { filter }, readLimit(input)),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get number',
	description: 'Get one of your numbers with its price and next charge',
	fields: [accountNumber],
	run: async ({ call }, { number }) => await call(getNumber, { number }),
});

/**
 * The number to lease. If the field is empty, any number will do, but an expression that returns nothing is refused.
 */
const numberField = required(
	textField(optional(readAccountNumber), {
		displayName: 'Number',
		name: 'number',
		placeholder: 'e.g. 61491570156',
		description:
			'The number to lease, from Virtual Number → Get Many. Leave empty to get any available number.',
	}),
);

/** Leases a number. This is done only once, because a second request would lease another number and charge for it. */
export const lease = defineOperation({
	value: 'lease',
	name: 'Lease',
	action: 'Lease number',
	description:
		'Lease a phone number. You are charged right away, and then every month until you give up the number.',
	fields: [numberField, options(required(forwardUrl))],
	once: true,
	run: async ({ call }, { number, options: { forwardUrl: url } }) =>
		await call(leaseNumber, { number, forward_url: url }, { deliversTo: url }),
});

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update number',
	description:
		'Change how a number handles incoming messages: forward them, reply to them, or add their senders to a list. Options you add replace the current settings, which other apps may use. Other settings stay unchanged.',
	fields: [accountNumber, options(...forwarding)],
	check: ({ options }) => void requireChange(forwardingValues(options)),
	run: async ({ call }, { number, options }) => {
		const values = { number, ...forwardingValues(options) };
		await call(editNumberOptions, values, { deliversTo: options.forwardUrl });
		return { number, updated: true };
	},
});

/**
 * Reads a number in the same way as a send operation, along with its country. If the number can't be read, it is sent
 * to the service as entered.
 */
const readAsked = takingPhones((value: unknown, readContext: ReadContext) => {
	const { number, country } = anyPhoneNumber(value, readContext);
	if (number === null) return { msisdn: atMostLong(40)(trimmedText(value)) };
	return { msisdn: `+${number}`, ...(country !== null && { countrycode: country }) };
});

const phoneNumber = textField(readAsked, {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	required: true,
	placeholder: 'e.g. 0491 570 006',
	description: 'The phone number in any format, with or without a country code',
});

/** Names of Kudosity's number types. Other types stay unchanged. */
const typeNames: Record<string, string> = { 0: 'landline', 1: 'mobile', 10: 'invalid' };

export const format = defineOperation({
	value: 'format',
	name: 'Format',
	action: 'Format number',
	description:
		'Convert a phone number to international format, and check whether it is a landline, a mobile or an invalid number',
	fields: [phoneNumber, country('Country for numbers without a country code'), simplify],
	run: async ({ call }, { phoneNumber, country, simplify = true }) => {
		const formatted = await call(formatNumber, { countrycode: country, ...phoneNumber });
		const { type } = formatted;
		return simplify ? { ...formatted, type: typeNames[String(type)] ?? type } : formatted;
	},
});

export const number: Resource = {
	value: 'number',
	name: 'Virtual Number',
	description: 'Lease and manage numbers from Kudosity, and format any phone number',
	connection: 'basic',
	operations: [getAll, get, lease, update, format],
};
