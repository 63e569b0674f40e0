import type { FailureCode } from '../../nodes/Kudosity/api/failureCodes.ts';
import { markdownTable } from './markdownTable.ts';

type Sent = 'no' | 'unknown' | 'sent earlier, or unknown' | '–';

/** What docs/error-codes.md says of each: what happened, and whether a message may have been sent. */
const meanings: Record<FailureCode, [happened: string, sent: Sent]> = {
	opted_out: ['The recipient has opted out', 'no'],
	invalid_number: ['The value is not a phone number, or Kudosity does not accept the number', 'no'],
	country_not_enabled: ["Your account can't send to the number's country", 'no'],
	no_recipients: ['None of the recipients can get the message', 'no'],
	empty_list: ['The contact list has no active contacts', 'no'],
	invalid_sender: [
		"The sender is unknown, inactive or not approved, or the value can't be a sender",
		'no',
	],
	invalid_input: [
		"The node refused a field's value before making any request, e.g. because the field is empty",
		'no',
	],
	sending_limit: [
		'A sending limit held the message back, or the limit [cannot be enforced](agents.md#runs-that-n8n-doesnt-save) where the node runs',
		'no',
	],
	limit_reached: [
		'A limit on the number of messages has been reached. If the error has `nextAllowedAt`, the item can be sent from that time on',
		'no',
	],
	outside_hours: [
		"The message would be sent outside 'Sending Hours'. The item can be sent from `nextAllowedAt` on",
		'no',
	],
	blocked: [
		"Skipped: the number is in 'Blocked Recipients', or the person opted out of a question in this execution",
		'no',
	],
	landline: ["Skipped: the number is a landline, and 'Mobile Numbers Only' is on", 'no'],
	already_messaged: [
		'Skipped: the Deduplication Key, or the Campaign Name for this recipient, was already used',
		'sent earlier, or unknown',
	],
	missing_value: ['Kudosity says that a required value is missing', 'no'],
	invalid_value: ['Kudosity says that a value is invalid', 'no'],
	not_found: ['Kudosity has no record with this ID', 'no'],
	already_exists: ['The record already exists', 'no'],
	already_sent: ['The message can no longer be canceled', '–'],
	contact_deleted: ['The contact was deleted from this list earlier', 'no'],
	no_balance: ['Your balance is too low', 'no'],
	account_expired: ['Your account has expired', 'no'],
	not_allowed: ['Your account is not allowed to do this', 'no'],
	credential: ['The key or the secret is wrong, or n8n cannot read the credential', 'no'],
	base_url: ['The base URL is not the Kudosity API', 'no'],
	redirect: ['The base URL redirects to a different URL, and redirects are not followed', 'no'],
	intercepted: [
		'[A proxy or firewall](troubleshooting.md#a-proxy-or-firewall-answered-instead-of-kudosity) responded with its own web page',
		'no',
	],
	rate_limited: [
		'Kudosity still received too many requests after several retries, or too many verification attempts for one sender',
		'no',
	],
	outcome_unknown: [
		'Kudosity [did not confirm](troubleshooting.md#kudosity-did-not-confirm-the-request) the message',
		'unknown',
	],
	unreachable: ['The node could not connect to Kudosity', 'no'],
	no_answer: [
		'The connection broke or timed out during a read, or during a change that is safe to repeat',
		'–',
	],
	unreadable_answer: [
		"Kudosity's response to a read, or to a change that is safe to repeat, is not JSON or has an unexpected structure",
		'–',
	],
	unavailable: [
		'Kudosity responded to a read, or to a change that is safe to repeat, with a status of 500 or above',
		'–',
	],
	refused: ['Kudosity rejected the request for another reason', 'no'],
	canceled: [
		'Before the request was made, the execution was stopped, or another failure stopped the node',
		'no',
	],
	unexpected: [
		"The item failed for any other reason, e.g. n8n's database failed while the node checked a key or a limit",
		'no',
	],
};

export const errorCodesTable = (): string =>
	markdownTable(
		['Code', 'What happened', 'Was it sent?'],
		Object.entries(meanings).map(([code, cells]) => [`\`${code}\``, ...cells]),
	);
