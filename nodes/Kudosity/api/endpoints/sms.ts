import { z } from 'zod/v4';
import type { Json } from '../../lib/json';
import { type AnswerOf, count, idString, ifPossible, read, send } from '../endpoint';
import { ApiError } from '../errors';
import { pollUntil, type Service } from '../service';
import { shortPageList } from '../shortPageList';
import type { Clock } from '../../lib/async';

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
export const sendSms = send({ path, answer: sms });
export type Sms = AnswerOf<typeof sendSms>;

/** A message was seen to be missing for up to two minutes after it was sent; longer than this, it is not there. */
export const maxMissingMs = 150_000;

export const getSms = read({ path: `${path}/{id}`, answer: sms });

/** Sent and received; in the order of their creation unless `order_by` says otherwise. */
export const getSmses = shortPageList({
	path,
	records: 'smses',
	record: () => sms().extend({ id: ifPossible(idString) }),
});

const intervalMs = 5_000;

/** A 404 without words of the service is one of the address, and does not pass. */
const isMissing = (error: unknown): error is ApiError =>
	error instanceof ApiError && error.fields.status === 404 && error.fields.detail !== undefined;

type Look = { message: Sms } | { error: ApiError };

/**
 * A message as soon as the service knows it.
 *
 * @throws ApiError it is still missing when every message would be there
 */
export const waitForSms = async (
	{ call, clock }: Service & { clock: Clock },
	id: string,
): Promise<Sms> => {
	const check = async (): Promise<Look> =>
		await call(getSms, { id }).then(
			(message) => ({ message }),
			(error: unknown) => {
				if (isMissing(error)) return { error };
				throw error;
			},
		);
	const isDone = (look: Look) => 'message' in look;
	const timeoutMs = maxMissingMs;
	const { answer } = await pollUntil({ check, isDone, intervalMs, timeoutMs, clock });
	if ('error' in answer) throw answer.error;
	return answer.message;
};

type Notice = { text: string; sender: string; recipient: string; reference: string };

export const sendNoticeBySms = async (
	{ call }: Service,
	{ text, reference, ...parties }: Notice,
): Promise<Json> => await call(sendSms, { ...parties, message: text, message_ref: reference });
