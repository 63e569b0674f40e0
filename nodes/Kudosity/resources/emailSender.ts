import { addEmail, deleteEmail } from '../api/endpoints/emailSender';
import { accountNumberFilter } from '../fields/recordFields';
import { emailAddress } from '../fields/addresses';
import { options } from '../fields/collections';
import { field, refuse, textField } from '../fields/field';
import { trimmedText, wholeNumber } from '../fields/readers';
import { defineOperation, type Resource } from '../fields/operation';

/** Reads an email address, or `*@domain` for a whole domain. The service accepts both. */
function readEmail(value: unknown): string {
	const text = trimmedText(value);
	const address = emailAddress(text.replace(/^\*@/, 'everybody@'));
	if (address.includes('*')) {
		return refuse(
			'has a * in the wrong place',
			'Use * only for a whole domain, e.g. *@example.com',
		);
	}
	return text;
}

const email = textField(readEmail, {
	displayName: 'Email',
	name: 'email',
	required: true,
	placeholder: 'e.g. sam@example.com',
	description: 'Email address, or *@example.com for a whole domain',
});

const maxParts = field(wholeNumber({ min: 1, max: 4 }), {
	displayName: 'Max SMS Parts',
	name: 'maxParts',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 4 },
	default: 1,
	description: 'Max number of SMS per email, from 1 to 4. You are charged for each SMS.',
});

const number = accountNumberFilter('The number that sends the SMS');

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create email sender',
	description:
		'Allow an email address, or a whole domain (*@example.com), to send SMS by email at your expense',
	fields: [email, options(maxParts, number)],
	once: true,
	run: async ({ call }, { email, options: { maxParts, number } }) => ({
		email,
		...(await call(addEmail, { email, max_sms: maxParts, number })),
	}),
});

export const deleteEmailSender = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete email sender',
	description:
		'Stop an email address, or a whole domain (*@example.com), from sending SMS by email',
	fields: [email],
	once: true,
	run: async ({ call }, { email }) => {
		await call(deleteEmail, { email });
		return { deleted: true, id: email };
	},
});

export const emailSender: Resource = {
	value: 'emailSender',
	name: 'Email Sender',
	description: 'Addresses that may send SMS by email',
	connection: 'basic',
	operations: [create, deleteEmailSender],
};
