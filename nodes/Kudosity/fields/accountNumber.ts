import type { Field, Read } from './field';
import { senderAddress } from './readers/phone';
import { refuse } from './refusal';
import { resourceLocator } from './resourceLocator';

/** A number of the account: a virtual number, or a short code. */
export const readAccountNumber: Read<string> = (value, scope) => {
	const number = senderAddress(value, scope);
	return /^\d+$/.test(number)
		? number
		: refuse('is not a phone number', 'Use a number of your account, see Number → Get Many');
};

/** A number that the account has leased. */
export const accountNumber: Field<'number', string> = {
	...resourceLocator(
		{
			displayName: 'Number',
			name: 'number',
			noun: 'number',
			searchListMethod: 'searchNumbers',
			placeholder: 'e.g. 61491570006',
			description: 'A number that your account has leased',
			by: 'Number',
		},
		readAccountNumber,
	),
	takesPhoneNumbers: true,
};
