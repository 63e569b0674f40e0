import { z } from 'zod/v4';
import {
	type AnswerOf,
	anything,
	count,
	idString,
	ifPossible,
	read,
	send,
	textOrNone,
	textDetails,
	anyObject,
} from '../endpoint';
import { numberedList } from '../lists';

const method = 'POST';

export const maxRecipients = 500;

function bulkSms() {
	return z.looseObject({
		message_id: idString,
		recipients: ifPossible(count),
		sms: ifPossible(count),
		list: ifPossible(z.looseObject({ id: idString })),
		cost: anything,
	});
}

/** Sends a message to several recipients. In the response, `fails` lists the rejected numbers. */
export const sendBulkSms = send({
	path: '/send-sms.json',
	answer: () =>
		bulkSms().extend({
			fails: ifPossible(z.array(idString)),
			optouts: ifPossible(z.array(idString)),
		}),
});
export type BulkSms = AnswerOf<typeof sendBulkSms>;

/**
 * Cancels a scheduled message. If it is canceled already, the service rejects the request as if the message had been
 * sent.
 */
export const cancelBulkSms = send({ path: '/cancel-sms.json', answer: anyObject });

export const getBulkSms = read({
	method,
	path: '/get-sms.json',
	answer: () => bulkSms().extend(textDetails('message')),
});

const statistics = [
	'hard_bounced',
	'soft_bounced',
	'total',
	'recipientCount',
	'delivered',
	'pending',
	'bounced',
	'responses',
	'opt-outs',
	'link_hits',
];

export const getBulkSmsStats = read({
	method,
	path: '/get-sms-stats.json',
	answer: () => {
		const counts = statistics.map((name) => [name, ifPossible(count)] as const);
		return z
			.looseObject({ stats: z.looseObject(Object.fromEntries(counts)) })
			.transform(({ stats }) => stats);
	},
});

/** According to the documentation, the response is flat, but the service wraps it in `stats`. */
export const getBulkSmsDelivery = read({
	method,
	path: '/get-sms-delivery-status.json',
	answer: () =>
		z
			.looseObject({
				stats: z.looseObject(textDetails('message_id', 'sender_id', 'mobile', 'message')),
			})
			.transform(({ stats }) => stats),
});

/** The statuses by which a message's recipients can be filtered. */
export const deliveryFilters = ['delivered', 'failed', 'pending'] as const;

function person() {
	return textDetails('msisdn', 'first_name', 'last_name');
}

export const getBulkSmsRecipients = numberedList({
	path: '/get-sms-sent.json',
	method,
	records: 'recipients',
	total: 'total',
	record: () => z.looseObject(person()),
	identify: ({ msisdn }) => textOrNone(msisdn),
});

export const getBulkSmsReplies = numberedList({
	path: '/get-sms-responses.json',
	method,
	records: 'responses',
	total: 'total',
	record: () =>
		z.looseObject({
			...person(),
			...textDetails('id', 'message_id', 'list_id', 'response', 'longcode', 'original_message'),
		}),
});
