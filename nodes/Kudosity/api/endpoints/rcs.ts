import { z } from 'zod/v4';
import {
	type AnswerOf,
	chatMessage,
	dataOf,
	idString,
	ifPossible,
	listedChatMessage,
	read,
	recordList,
	send,
} from '../endpoint';
import { cursorList } from '../lists';

const path = '/v2/rcs/messages';

/** The statuses that a message passes through, in order. */
export const rcsProgress = ['QUEUED', 'SENT', 'DELIVERED', 'READ'] as const;

/** The statuses that polling reports. FAILED includes messages that were rejected, undeliverable or expired. */
export const rcsStatuses = [...rcsProgress, 'FAILED'] as const;

/** The presets for a date range, in the account's time zone. `all` means the last 365 days. */
export const dateRanges = ['all', 'custom_date', 'last_month', 'last_thirty', 'last_week'] as const;

export const sendRcsMessage = send({ path, answer: () => dataOf(chatMessage()) });

export const getRcsMessage = read({
	path: `${path}/{id}`,
	answer: () => dataOf(chatMessage().extend({ status: z.string() })),
});
export type RcsMessage = AnswerOf<typeof getRcsMessage>;

/** The messages, newest first. */
export const getRcsMessages = cursorList({ path, records: 'messages', record: listedChatMessage });

/** The maximum number of phone numbers in one RCS capability check. */
export const maxPhoneNumbers = 100;

/**
 * Checks which numbers RCS can reach. The results are in the order of `phone_numbers`. The request changes nothing,
 * although it is a POST.
 */
export const checkRcsCapability = read({
	method: 'POST',
	path: '/v2/rcs/capabilities',
	answer: () =>
		dataOf(
			z.looseObject({ results: recordList(z.looseObject({ phone_number: ifPossible(idString) })) }),
		).transform(({ results }) => results ?? []),
});
