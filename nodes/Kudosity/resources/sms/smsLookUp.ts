import { getSmses, longestMissingMs } from '../../api/endpoints/sms';
import type { ItemOf } from '../../api/endpoint';
import { mapRecords } from '../../api/pagination';
import { toIsoTimestamp } from '../../events/timestamp';
import type { LookUp } from '../../sending/lookUp';
import type { Found } from '../../sending/matchSent';

type Input = {
	message: string;
	sender: string;
	recipient: string;
	options: { messageRef: string | undefined; trackLinks: boolean | undefined };
};

/** More than the account can send in the time that a request takes, and still one page. */
const mostFound = 1000;

/** What becomes a short link when links are tracked. */
const links = /(?:https?:\/\/|www\.)[^\s<>"]+/;

const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A record that leaves something out fits no message. */
const readSms = (record: ItemOf<typeof getSmses>): Found | undefined => {
	const { id, direction, created_at: createdAt } = record;
	if (typeof id !== 'string' || textOf(direction).toUpperCase() === 'IN') return undefined;
	return {
		id,
		reference: textOf(record.message_ref),
		recipient: textOf(record.recipient),
		sender: textOf(record.sender),
		text: textOf(record.message),
		createdMs: Date.parse(toIsoTimestamp(textOf(createdAt))),
		answer: record,
	};
};

/** By its reference, among the messages to its recipient. */
export const smsLookUp: LookUp<Input> = {
	longestMissingMs,
	refer: ({ options, ...sms }, reference) => ({
		...sms,
		options: { ...options, messageRef: options.messageRef ?? reference },
	}),
	describe: ({ message, sender, recipient, options }) => ({
		reference: options.messageRef ?? '',
		recipient,
		sender,
		text: message,
		...(options.trackLinks && { rewritten: links }),
	}),
	search: ({ list }, { recipient, options }) => {
		const query = {
			direction: 'OUT',
			message_ref: options.messageRef,
			recipient,
			order_by: 'CREATED_AT_DESC',
		};
		return mapRecords(list(getSmses, query, mostFound), readSms);
	},
};
