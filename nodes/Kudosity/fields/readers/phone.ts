import type { Scope } from '../field';
import type { Phones } from '../phone/phones';
import type { Recipients } from '../phone/readRecipients';
import { refuse } from '../refusal';

const phonesOf = ({ phones }: Scope): Phones => {
	if (!phones) throw new Error('The operation does not say that it takes phone numbers');
	return phones;
};

const numberOr =
	(code: 'invalid_number' | 'invalid_sender') =>
	(value: unknown, scope: Scope): string => {
		const read = phonesOf(scope).number(value, scope.defaultCountry);
		return 'number' in read ? read.number : refuse(read.reason, read.remedy, code);
	};

/** The number that its writer means, as E.164 digits without plus. */
export const phoneNumber = numberOr('invalid_number');

/** The same for a number of the account. */
export const senderPhoneNumber = numberOr('invalid_sender');

/** A number of the account, a short code, or a name of at most 11 characters. */
export const senderAddress = (value: unknown, scope: Scope): string => {
	const read = phonesOf(scope).sender(value, scope.defaultCountry);
	return 'sender' in read ? read.sender : refuse(read.reason, read.remedy, 'invalid_sender');
};

/** A number of the account, or a short code: what can be answered. */
export const senderNumber = (value: unknown, scope: Scope): string => {
	const read = phonesOf(scope).sender(value, scope.defaultCountry);
	if (!('sender' in read)) return refuse(read.reason, read.remedy, 'invalid_sender');
	return read.kind === 'name'
		? refuse('is a name, which nobody can answer', 'Use a number of your account', 'invalid_sender')
		: read.sender;
};

const listRemedy =
	'Use one number, several separated by commas, or an expression that returns a list of numbers';

/** At least one number; what is none is reported beside them. */
export const phoneNumbers = (value: unknown, scope: Scope): Recipients => {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return refuse('is not a list of phone numbers', listRemedy, 'invalid_number');
	}
	const recipients = phonesOf(scope).recipients(value, scope.defaultCountry);
	if (recipients.numbers.length > 0) return recipients;
	const [first] = recipients.refused;
	return first
		? refuse(
				`has no phone number: at position ${first.position}, it ${first.reason}`,
				first.remedy,
				'invalid_number',
			)
		: refuse('is empty', listRemedy, 'invalid_number');
};
