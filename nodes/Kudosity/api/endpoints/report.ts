import { z } from 'zod/v4';
import { count, ifPossible, read, textDetails } from '../endpoint';
import { numberedList } from '../lists';

/** The ways in which a message can be sent. */
export const messageTypes = [
	'all',
	'api',
	'campaign',
	'email_sms',
	'keyword',
	'quick_sms',
	'test_sms',
] as const;

/** Covers at most 30 days. `cost` is negative. */
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

/** Covers at most 7 days. */
export const getSmsSentCount = read({
	method: 'POST',
	path: '/get-sms-sent-count.json',
	answer: () => z.looseObject({ count }),
});

/** The replies of one contact. Names can be null, and the list can be absent. */
export const getUserSmsResponses = numberedList({
	path: '/get-user-sms-responses.json',
	records: 'responses',
	total: 'total',
	record: () =>
		z.looseObject(textDetails('id', 'message_id', 'list_id', 'msisdn', 'response', 'longcode')),
});

/** The messages to one contact, with their statuses. Nothing tells two records apart for sure. */
export const getContactSmsStats = numberedList({
	path: '/get-contact-sms-stats.json',
	records: 'records',
	total: 'total',
	record: () => z.looseObject(textDetails('message_id')),
	identify: () => undefined,
});
