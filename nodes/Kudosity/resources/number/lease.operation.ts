import { leaseNumber } from '../../api/endpoints/number';
import { readAccountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { field, needed, type Field } from '../../fields/field';
import { forwardUrl } from '../../fields/forwarding';
import { optional } from '../../fields/readers/text';
import { defineOperation } from '../../runtime/operation';

/** Left empty in the panel, it means any number; an expression that delivers nothing means none. */
const number: Field<'number', string | undefined> = {
	...field(
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			default: '',
			placeholder: 'e.g. 61491570156',
			description:
				'The number to lease, one that Number → Get Many lists as available. Leave empty to get any available number.',
		},
		optional(readAccountNumber),
	),
	takesPhoneNumbers: true,
	needsValue: true,
};

/** POST /lease-number.json. A second one would lease, and pay, another number. */
export const lease = defineOperation({
	value: 'lease',
	name: 'Lease',
	action: 'Lease number',
	description:
		'Lease a phone number for the account. It costs money at once, and again every month until it is given up: not for tests or repeats.',
	fields: [number, options(needed(forwardUrl))],
	once: true,
	run: async ({ call }, { number, options: { forwardUrl: url } }) =>
		await call(leaseNumber, { number, forward_url: url }, { deliversTo: url }),
});
