import { addEmail, deleteEmail } from '../api/endpoints/emailSender';
import { accountNumberFilter } from '../fields/account';
import { emailAddress } from '../fields/addresses';
import { options } from '../fields/collections';
import { field, type Field, refuse } from '../fields/field';
import { trimmedText, wholeNumber } from '../fields/readers';
import { defineOperation, type Resource } from '../operation';

/** The service accepts an address, or `*@domain` for a whole domain. */
const readEmail = (value: unknown): string => {
	const text = trimmedText(value);
	const address = emailAddress(text.replace(/^\*@/, 'everybody@'));
	if (address.includes('*')) {
		return refuse('has a * where none can be', 'Use it for all of a domain only: *@example.com');
	}
	return text;
};

export const email = (description: string): Field<'email', string> =>
	field(
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. sam@example.com',
			description,
		},
		readEmail,
	);

const maxParts = field(
	{
		displayName: 'Max SMS Parts',
		name: 'maxParts',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 4 },
		default: 1,
		description: 'The most SMS parts that one email may become, from 1 to 4; each part is charged',
	},
	wholeNumber({ min: 1, max: 4 }),
);

const number = accountNumberFilter('The number of your account that the SMS are sent from');

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

/** POST /delete-email.json. */
export const deleteEmailSender = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete email sender',
	description:
		'Stop an email address from sending SMS. With *@example.com, all addresses of that domain are stopped.',
	fields: [email('The address; *@example.com removes all of that domain')],
	once: true,
	run: async ({ call }, { email }) => {
		await call(deleteEmail, { email });
		return { deleted: true, id: email };
	},
});

export const emailSender: Resource = {
	value: 'emailSender',
	name: 'Email Sender',
	connection: 'basic',
	operations: [create, deleteEmailSender],
};
