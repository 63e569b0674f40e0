import {
	type ApiErrorFields,
	isAboutCertificate,
	type NoAnswerError,
	type RejectedRecipients,
} from '../api/errors';
import type { RefusalCode } from '../api/failureCodes';
import { shortNumbers } from '../api/privacy';
import { requestTimeoutMs } from '../api/transport';
import { joinSentences } from '../lib/text';
import { noRecipientCodeOf, refusalCodeOf } from '../api/refusalCodes';

type ErrorText = [message: string, remedy: string];

const refusalTexts: Record<RefusalCode, ErrorText> = {
	opted_out: ['The recipient has opted out', 'Remove the recipient. Only they can opt back in'],
	invalid_number: [
		'Kudosity does not accept the phone number',
		'Write the number in international format, e.g. +61 491 570 006',
	],
	country_not_enabled: [
		"Your Kudosity account can't send to this country",
		'Ask Kudosity to enable the country, or remove the recipient',
	],
	no_recipients: [
		'There are no recipients left to send to',
		'Correct the numbers, and remove recipients who have opted out',
	],
	empty_list: [
		'The contact list has no active contacts',
		'Choose another list, or add contacts to it',
	],
	invalid_sender: [
		'Kudosity does not accept the sender',
		'Use one of your numbers (Virtual Number → Get Many lists them) or an approved sender name',
	],
	missing_value: ['A required value is missing', 'Fill in the field and try again'],
	invalid_value: ['Kudosity does not accept one of the values', 'Check the values and try again'],
	not_found: [
		'Kudosity could not find this record',
		'Check the ID, or the contact and list. The record may have been deleted, or may belong to another account',
	],
	already_exists: [
		'This already exists in your Kudosity account',
		'Use another name or number, or update the existing record',
	],
	already_sent: [
		// The text avoids the word "canceled", because n8n marks an execution as canceled if its error contains that
		// word.
		'It is too late to cancel the message',
		'It was already sent or is being sent. Only scheduled messages can be canceled',
	],
	contact_deleted: [
		'The contact was deleted from this list earlier',
		'Add the contact again in Kudosity',
	],
	no_balance: [
		'Your Kudosity balance is too low',
		'Top up your account, then run the items that were not sent',
	],
	account_expired: [
		'Your Kudosity account has expired',
		'Renew the account, or use a credential for another one',
	],
	not_allowed: [
		'Your Kudosity account is not allowed to do this',
		'Check that the credential is for the right account, or ask Kudosity to enable the feature',
	],
	credential: [
		'Kudosity did not accept the credential',
		"Compare the key and secret with API Settings in Kudosity, and check 'Base URL'",
	],
	base_url: ['The base URL is not the Kudosity API', "Correct 'Base URL' in the credential"],
	redirect: [
		'The base URL redirects to another address',
		"Enter the final address as 'Base URL' in the credential. Redirects are not followed, to protect your key",
	],
	intercepted: [
		'A proxy or firewall between n8n and Kudosity responded instead of Kudosity',
		"The response was a web page, which Kudosity never sends. Let n8n reach the host of 'Base URL' directly, or allow this host in the proxy or firewall. If it is not Kudosity's host, correct 'Base URL' in the credential",
	],
	rate_limited: [
		'Kudosity is receiving too many requests from your account',
		"Try again later, or pause other apps that use the account. If you are sending messages, lower 'Max Requests per Second'",
	],
	unavailable: ['Kudosity could not process the request', 'Try again later'],
	refused: [
		'Kudosity rejected the request',
		'Check the values and try again. If this keeps happening, contact Kudosity support',
	],
};

/** The text for a limit on a single record rather than on the account. */
const recordLimitText: ErrorText = [
	'Too many attempts for this sender',
	'Wait a minute and try again. If the next attempt is also rejected, wait 30 minutes. To get a new code, register the sender again',
];

/** Codes whose text is too vague without the HTTP status. */
const showsStatus: RefusalCode[] = ['unavailable', 'refused', 'intercepted'];

const numberWords = ({ failedRecipients, optedOutRecipients }: RejectedRecipients): string[] => [
	...(failedRecipients?.length ? [`Not valid: ${shortNumbers(failedRecipients)}`] : []),
	...(optedOutRecipients?.length ? [`Opted out: ${shortNumbers(optedOutRecipients)}`] : []),
];

/** Lists the service's own messages, with the fields and the numbers that it rejected. */
const serviceWords = (fields: ApiErrorFields): string[] => [
	...(fields.detail ? [`Kudosity says: ${fields.detail}`] : []),
	...(fields.issues ?? []).map(({ field, message }) => (field ? `${field}: ${message}` : message)),
	...numberWords(fields),
	...(fields.attemptsRemaining === undefined
		? []
		: [`Attempts remaining: ${fields.attemptsRemaining}`]),
];

export function textOfApiError(fields: ApiErrorFields): { message: string; description: string } {
	const code = refusalCodeOf(fields);
	const isOwnLimit = code === 'rate_limited' && fields.isPerRecordLimit;
	const [message, remedy] = isOwnLimit ? recordLimitText : refusalTexts[code];
	return {
		message: showsStatus.includes(code) ? `${message} (status ${fields.status})` : message,
		description: joinSentences(...serviceWords(fields), remedy),
	};
}

/** Returns the text for an item whose numbers were all rejected. */
export function textOfNoRecipient(numbers: RejectedRecipients) {
	const [message, remedy] = refusalTexts[noRecipientCodeOf(numbers)];
	return { message, description: joinSentences(...numberWords(numbers), remedy) };
}

const trustProxy =
	"If a proxy in your network inspects encrypted connections, set n8n's environment variable NODE_EXTRA_CA_CERTS to the path of its certificate, and restart n8n";

/** Returns a node's error text for a request without a response. */
export function textOfNoAnswer({ code, outcome }: NoAnswerError) {
	if (outcome === 'unknown') {
		return {
			message: 'Kudosity did not respond',
			description: `The connection was lost, or the request took longer than ${requestTimeoutMs / 1000} seconds (${code}). Try again later`,
		};
	}
	const isUntrusted = isAboutCertificate(code);
	return {
		message: isUntrusted
			? "n8n does not trust the certificate of the host in 'Base URL'"
			: "Kudosity can't be reached",
		description: isUntrusted
			? `${trustProxy}. Otherwise, check 'Base URL' in the credential (${code})`
			: `Check 'Base URL' in the credential, and n8n's network connection (${code})`,
	};
}

export type TestedCredential = {
	host: string;
	wrongKey: string;
	forbidden?: string;
	timeoutSeconds: number;
};

const keepDefault = 'Keep the default unless Kudosity gave you a different URL';

export const checkBaseUrl = `Check 'Base URL'. ${keepDefault}`;

const checkNetwork = `${checkBaseUrl}. Also check n8n's network connection`;

type Untestable = (tested: TestedCredential, code: string) => ErrorText;

const tooSlow: Untestable = ({ host, timeoutSeconds }) => [
	`${host} did not respond within ${timeoutSeconds} seconds`,
	`${checkBaseUrl}. Or try again later`,
];
const untrusted: Untestable = ({ host }, code) => [
	`n8n does not trust the certificate of ${host} (${code})`,
	`${trustProxy}. Otherwise, check 'Base URL'. ${keepDefault}`,
];
const broken: Untestable = ({ host }, code) => [
	`The connection to ${host} was lost (${code})`,
	checkNetwork,
];
// This also happens without an internet connection, because n8n then can't resolve any host name.
const notFound: Untestable = ({ host }) => [`n8n could not find ${host}`, checkNetwork];

const untestable = new Map<string, Untestable>([
	['BLOCKED_BY_N8N', ({ host }) => [`n8n blocks requests to ${host}`, checkBaseUrl]],
	['ENOTFOUND', notFound],
	['EAI_AGAIN', notFound],
	['ECONNREFUSED', ({ host }) => [`${host} refuses connections`, checkBaseUrl]],
	['ECONNABORTED', tooSlow],
	['ETIMEDOUT', tooSlow],
]);

/**
 * Returns the text for a request without a response in the credential's dialog, where the user can correct the host.
 */
export function textOfUntestable(code: string, tested: TestedCredential): string {
	const text = isAboutCertificate(code) ? untrusted : (untestable.get(code) ?? broken);
	return joinSentences(...text(tested, code));
}
