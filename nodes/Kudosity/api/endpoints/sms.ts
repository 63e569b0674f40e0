import { z } from 'zod/v4';
import { settle } from '../../lib/async';
import type { Json } from '../../lib/json';
import { type AnswerOf, count, idString, ifPossible, read, send } from '../endpoint';
import { isMissing } from '../errors';
import { pollUntil, type Service, type TimedService } from '../service';
import { shortPageList } from '../shortPageList';

const path = '/v2/sms';

function sms() {
	return z.looseObject({ id: idString, sms_count: ifPossible(count) });
}

/** The statuses by which the service's message list can be filtered. */
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

/** Sends a message to one recipient. The response isn't wrapped in `data`, and its `sms_count` is a string. */
export const sendSms = send({ path, answer: sms });
type Sms = AnswerOf<typeof sendSms>;

/**
 * How long the service may not find a message after it was sent. Delays of up to two minutes have been observed. A
 * message that is missing for longer doesn't exist.
 */
export const maxMissingMs = 150_000;

export const getSms = read({ path: `${path}/{id}`, answer: sms });

/** The sent and received messages, ordered by creation time unless `order_by` is given. */
export const getSmses = shortPageList({
	path,
	records: 'smses',
	record: () => sms().extend({ id: ifPossible(idString) }),
});

/** Waits until the service finds a message. @throws ApiError - the message is still missing after `maxMissingMs` */
export async function waitForSms({ call, clock }: TimedService, id: string): Promise<Sms> {
	const check = async () => {
		const look = await settle(call(getSms, { id }));
		if (look.status === 'rejected' && !isMissing(look.reason)) throw look.reason;
		return look;
	};
	const isDone = ({ status }: PromiseSettledResult<Sms>) => status === 'fulfilled';
	const timeoutMs = maxMissingMs;
	const { answer } = await pollUntil({ check, isDone, intervalMs: 5_000, timeoutMs, clock });
	if (answer.status === 'rejected') throw answer.reason;
	return answer.value;
}

/** An additional message that accompanies a question, e.g. an explanation. */
export type Notice = { text: string; sender: string; recipient: string; reference: string };

export async function sendNoticeBySms(
	{ call }: Service,
	{ text, reference, ...parties }: Notice,
): Promise<Json> {
	return await call(sendSms, { ...parties, message: text, message_ref: reference });
}
