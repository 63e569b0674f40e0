import { z } from 'zod/v4';
import { count, idString, ifPossible, read } from '../endpoint';
import { numberedList } from '../lists';

/** Where messages came from. */
export const messageTypes = [
	'all',
	'api',
	'campaign',
	'email_sms',
	'keyword',
	'quick_sms',
	'test_sms',
] as const;

/** At most 30 days. `cost` is negative. */
export const getMessageReport = numberedList({
	method: 'POST',
	path: '/get-message-report.json',
	records: 'messages',
	total: 'messages_total',
	record: () =>
		z.looseObject({
			id: ifPossible(idString),
			sms: ifPossible(count),
			message: ifPossible(idString),
			msisdn: ifPossible(idString),
		}),
});

export const getUserSmsSent = numberedList({
	method: 'POST',
	path: '/get-user-sms-sent.json',
	records: 'messages',
	total: 'total',
	record: () =>
		z.looseObject({
			id: ifPossible(idString),
			message_id: ifPossible(idString),
			message: ifPossible(idString),
			msisdn: ifPossible(idString),
			caller_id: ifPossible(idString),
		}),
});

/** At most 7 days. */
export const getSmsSentCount = read({
	method: 'POST',
	path: '/get-sms-sent-count.json',
	answer: () => z.looseObject({ count }),
});

/** Replies of one contact; names can be null, and the list can be absent. */
export const getUserSmsResponses = numberedList({
	path: '/get-user-sms-responses.json',
	records: 'responses',
	total: 'total',
	record: () =>
		z.looseObject({
			id: ifPossible(idString),
			message_id: ifPossible(z.union([idString, z.null()])),
			list_id: ifPossible(z.union([idString, z.null()])),
			msisdn: ifPossible(idString),
			response: ifPossible(idString),
			longcode: ifPossible(z.union([idString, z.null()])),
		}),
});

/** The messages to one contact, with their statuses. Records cannot be told apart for sure. */
export const getContactSmsStats = numberedList({
	path: '/get-contact-sms-stats.json',
	records: 'records',
	total: 'total',
	record: () => z.looseObject({ message_id: ifPossible(idString) }),
	identify: () => undefined,
});
