import type { ApiErrorFields } from '../api/errors';
import { shortNumber } from '../api/privacy';
import { sentences } from './sentences';

/** What the user reads: what happened, and how to go on. */
export type ErrorText = { message: string; remedy: string };

const checkCredential =
	'Check key, secret and base URL of the credential against the API settings of your Kudosity account';

/** The service's error codes (v1) in people's words. Everything else is said by status. */
export const codeTexts: Record<string, ErrorText> = {
	ACCOUNT_EXPIRED: {
		message: 'The Kudosity account has expired',
		remedy: 'Renew the account, or use the credential of another one',
	},
	ALREADY_SENT: {
		message: 'The message is already sent or can no longer be cancelled',
		remedy: 'Nothing can be done about this message',
	},
	AUTH_FAILED: { message: 'Kudosity did not accept the credential', remedy: checkCredential },
	AUTH_FAILED_NO_DATA: {
		message: 'Kudosity received no key and secret',
		remedy: checkCredential,
	},
	BAD_CALLER_ID: {
		message: 'Kudosity does not accept the sender',
		remedy: 'Use a number of your account that is active, or a sender name that is allowed for it',
	},
	BAD_MOBILE: {
		message: 'Kudosity does not accept the phone number',
		remedy: 'Write the number in international format, e.g. 61491570006',
	},
	BAD_MOBILE_COUNTRY: {
		message: "Kudosity does not send to the phone number's country",
		remedy: 'Ask Kudosity to enable the country, or leave the number out',
	},
	DUPLICATE_DELETED: {
		message: 'The contact was deleted from the list before',
		remedy: 'Add the contact again in your Kudosity account',
	},
	FAILED: {
		message: 'Kudosity could not carry out the request',
		remedy: 'Try again later; if it stays so, ask the support of Kudosity',
	},
	FIELD_EMPTY: { message: 'Kudosity misses a value', remedy: 'Fill in the field it names' },
	FIELD_INVALID: {
		message: 'Kudosity does not accept a value',
		remedy: 'Correct the field it names',
	},
	KEY_EXISTS: {
		message: 'Kudosity has this already',
		remedy: 'Use another name or number, or change the existing one',
	},
	LEDGER_ERROR: {
		message: 'The balance of the Kudosity account is too low',
		remedy: 'Top up the account, then run the items that were not sent again',
	},
	LIST_EMPTY: {
		message: 'The contact list has no active recipients',
		remedy: 'Choose another list, or add contacts to it',
	},
	MISSING_PARAM: { message: 'Kudosity misses a value', remedy: 'Fill in the field it names' },
	NO_ACCESS: {
		message: 'The Kudosity account may not use this',
		remedy: 'Ask Kudosity to enable it for your account',
	},
	NOT_FOUND: {
		message: 'Kudosity does not know this record',
		remedy: 'Check the ID: the record may belong to another account, or be deleted',
	},
	NOT_IMPLEMENTED: {
		message: 'Kudosity does not know this request',
		remedy: "Check the credential's base URL: it leads to another service or another version",
	},
	OPTOUT: {
		message: 'The recipient has opted out',
		remedy: 'Leave this recipient out: sending to them is not allowed',
	},
	OVER_LIMIT: {
		message: 'Kudosity allows no more requests at the moment',
		remedy:
			'Try again later, or let other programs that use the account pause; when sending, lower Requests per Second',
	},
	RECIPIENTS_ERROR: {
		message: 'None of the recipients can be sent to',
		remedy: 'Correct the numbers, and leave out recipients who have opted out',
	},
};

const statusTexts: Record<number, ErrorText> = {
	400: {
		message: 'Kudosity does not accept the values',
		remedy: 'Correct the fields it names',
	},
	401: { message: 'Kudosity did not accept the credential', remedy: checkCredential },
	403: {
		message: 'Kudosity does not allow this with the credential',
		remedy: 'Check that the credential belongs to the right account, and what that account may use',
	},
	404: {
		message: 'Kudosity does not know this record',
		remedy: 'Check the ID, and that the credential belongs to the account that has the record',
	},
	409: {
		message: 'Kudosity has this already',
		remedy: 'Use another name or number, or change the existing one',
	},
	422: {
		message: 'Kudosity does not accept the values',
		remedy: 'Correct the fields it names',
	},
	429: {
		message: 'Kudosity allows no more requests at the moment',
		remedy:
			'Try again later, or let other programs that use the account pause; when sending, lower Requests per Second',
	},
};

const textByClass = (status: number): ErrorText => {
	if (status >= 500) {
		return {
			message: `Kudosity had trouble with the request (status ${status})`,
			remedy: 'Try again later',
		};
	}
	if (status >= 300 && status < 400) {
		return {
			message: 'The base URL leads to another address',
			remedy:
				"Set the credential's base URL to the service's own address; redirects are not followed, so that the key stays with it",
		};
	}
	return { message: `Kudosity refused the request (status ${status})`, remedy: 'Check the values' };
};

/** The last digits of a list, shown up to a handful: a list of 500 helps nobody. */
const someOf = (numbers: string[]): string =>
	numbers.length > 5 ? `${numbers.length} numbers` : numbers.map(shortNumber).join(', ');

/** The service's own words: they name the field, and can name the numbers it did not take. */
const serviceWords = (fields: ApiErrorFields): string[] => [
	...(fields.detail ? [`Kudosity says: ${fields.detail}`] : []),
	...(fields.issues ?? []).map(({ field, message }) => (field ? `${field}: ${message}` : message)),
	...(fields.failedRecipients?.length ? [`Not valid: ${someOf(fields.failedRecipients)}`] : []),
	...(fields.optedOutRecipients?.length ? [`Opted out: ${someOf(fields.optedOutRecipients)}`] : []),
];

/** The text for one refusal of the service. */
export const textOfApiError = (
	fields: ApiErrorFields,
): { message: string; description: string } => {
	const { message, remedy } =
		codeTexts[fields.code] ?? statusTexts[fields.status] ?? textByClass(fields.status);
	return { message, description: sentences(...serviceWords(fields), remedy) };
};
