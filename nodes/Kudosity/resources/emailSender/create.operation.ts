import { addEmail } from '../../api/endpoints/emailSender';
import { readAccountNumber } from '../../fields/accountNumber';
import { options } from '../../fields/collection';
import { field, type Field } from '../../fields/field';
import { wholeNumber } from '../../fields/readers/number';
import { optional } from '../../fields/readers/text';
import { defineOperation } from '../../runtime/operation';
import { email } from './email';

const maxParts = field(
	{
		displayName: 'Max Parts',
		name: 'maxParts',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 4 },
		default: 1,
		description: 'The most SMS parts that one email may become, from 1 to 4; each part is charged',
	},
	wholeNumber({ min: 1, max: 4 }),
);

const number: Field<'number', string | undefined> = {
	...field(
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			default: '',
			placeholder: 'e.g. 61491570006',
			description: 'The number of your account that the SMS are sent from',
		},
		optional(readAccountNumber),
	),
	takesPhoneNumbers: true,
};

/** POST /add-email.json. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create email sender',
	description:
		'Allow an email address to send SMS by email at the expense of the account. With *@example.com, everybody of that domain can.',
	fields: [email('The address, or *@example.com for all of a domain'), options(maxParts, number)],
	once: true,
	run: async ({ call }, { email, options: { maxParts, number } }) => ({
		email,
		...(await call(addEmail, { email, max_sms: maxParts, number })),
	}),
});
