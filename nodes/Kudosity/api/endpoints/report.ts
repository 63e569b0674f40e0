import { z } from 'zod/v4';
import { count, ifPossible, read, textDetails } from '../endpoint';
import { numberedList } from '../lists';

/** The ways in which a message can be sent, as values of a filter. */
export const messageTypes = [
	'all',
	'api',
	'campaign',
	'email_sms',
	'keyword',
	'quick_sms',
	'test_sms',
] as const;

/** The message report, which covers at most 30 days. `cost` is negative. */
export const getMessageReport = numberedList({
	method: 'POST',
	path: '/get-message-report.json',
	records: 'messages',
	total: 'messages_total',
	record: () =>
		z.looseObject({
			...textDetails('id'),
			sms: ifPossible(count),
			...textDetails('message', 'msisdn'),
		}),
});

export const getUserSmsSent = numberedList({
	method: 'POST',
	path: '/get-user-sms-sent.json',
	records: 'messages',
	total: 'total',
	record: () => z.looseObject(textDetails('id', 'message_id', 'message', 'msisdn', 'caller_id')),
});

/** The number of SMS sent in a period of at most 7 days. */
export const getSmsSentCount = read({
	method: 'POST',
	path: '/get-sms-sent-count.json',
	answer: () => z.looseObject({ count }),
});

/** One contact's replies. The contact's names can be null, and the service may omit the array of replies. */
export const getUserSmsResponses = numberedList({
	path: '/get-user-sms-responses.json',
	records: 'responses',
	total: 'total',
	record: () =>
		z.looseObject(textDetails('id', 'message_id', 'list_id', 'msisdn', 'response', 'longcode')),
});

/**
 * The messages to one contact, with their statuses. Nothing reliably identifies a record, so each one counts as new.
 */
export const getContactSmsStats = numberedList({
	path: '/get-contact-sms-stats.json',
	records: 'records',
	total: 'total',
	record: () => z.looseObject(textDetails('message_id')),
	identify: () => undefined,
});
