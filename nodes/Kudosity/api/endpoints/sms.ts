import { z } from 'zod/v4';
import { read, send, type AnswerOf } from '../endpoint';
import { count, idString, ifPossible, textOrNone } from '../schemas/common.schema';
import { shortPageList } from '../shortPageList';

const path = '/v2/sms';

const sms = () => z.looseObject({ id: idString, sms_count: ifPossible(count) });

/** What the service can filter its list by. */
export const smsStatuses = [
	'PENDING',
	'PENDING_APPROVAL',
	'SUBMITTED',
	'SENT',
	'ACCEPTED',
	'SOFT_BOUNCE',
	'DELIVERED',
	'FAILED',
	'HARD_BOUNCE',
	'REJECTED',
	'UNDELIVERABLE',
	'READ',
	'OTHER',
] as const;

/** One recipient; flat, and `sms_count` arrives as a string. */
export const sendSms = send({ connection: 'key', path, answer: sms });
export type Sms = AnswerOf<typeof sendSms>;

/** A message was seen to be missing for up to two minutes after it was sent; longer than this, it is not there. */
export const longestMissingMs = 150_000;

export const getSms = read({ connection: 'key', path: `${path}/{id}`, answer: sms });

/** Sent and received; in the order of their creation unless `order_by` says otherwise. */
export const getSmses = shortPageList({
	path,
	records: 'smses',
	record: () => sms().extend({ id: ifPossible(idString) }),
	identify: ({ id }) => textOrNone(id),
});
