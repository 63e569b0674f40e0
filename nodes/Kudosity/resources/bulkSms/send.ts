import { isPublicUrl } from '../../api/credential';
import { sendBulkSms } from '../../api/endpoints/bulkSms';
import { InputError } from '../../api/errors';
import { placeholders } from '../../fields/message';
import { toV1Time } from '../../lib/time';
import { defineOperation } from '../../fields/operation';
import { isUnconfirmed, notSentOf } from './answer';
import {
	createAligner,
	leaveOut,
	reader,
	requestsFor,
	toListOutput,
	toRepeatedOutput,
	withoutRecipients,
} from './batch';
import { bulkFields, type BulkInput } from './fields';

const maxMessageLength = 612;

const { optOutLink, optOutLinkV1, trackedLink } = placeholders;

const asSent = (message: string): string => message.replaceAll(optOutLink, optOutLinkV1);

/**
 * Checks the message before anything is sent. Otherwise, the service would only reject an item's long message after the
 * messages of other items were sent. If the link or its placeholder is missing, recipients would see the placeholder or
 * get no link. Send At is checked later, because an item that was already sent must be skipped on a retry, not refused
 * because its time has passed.
 */
function checkMessage({ message, options: { trackedLinkUrl: url } }: BulkInput): void {
	if (asSent(message).length > maxMessageLength) {
		throw new InputError(
			`'Message' is longer than ${maxMessageLength} characters`,
			'Shorten it, or use SMS → Send, which accepts longer messages',
		);
	}
	const hasLink = message.includes(trackedLink);
	if (hasLink && url === undefined) {
		throw new InputError(
			`'Message' has ${trackedLink}, but 'Options > Tracked Link URL' is empty`,
			'Enter the URL, or remove the placeholder from the message',
		);
	}
	if (!hasLink && url !== undefined) {
		throw new InputError(
			`'Options > Tracked Link URL' is set, but 'Message' has no ${trackedLink}`,
			`Add ${trackedLink} where the link should be, or remove the option`,
		);
	}
}

/**
 * Builds the request. `now` is in epoch milliseconds.
 *
 * @throws InputError - Send At is in the past
 */
function toBulkRequest(input: BulkInput, now: number) {
	const { options } = input;
	const { sendAt } = options;
	if (sendAt !== undefined && sendAt <= now) {
		throw new InputError(
			"'Options > Send At' is in the past",
			'Choose a later time. To send right away, remove the option',
		);
	}
	return {
		message: asSent(input.message),
		to: input.recipients?.numbers,
		list_id: input.listId,
		from: input.sender,
		send_at: sendAt === undefined ? undefined : toV1Time(sendAt),
		validity: options.validity,
		tracked_link_url: options.trackedLinkUrl,
		replies_to_email: options.repliesToEmail,
		reply_callback: options.replyCallback,
		dlr_callback: options.deliveryCallback,
		link_hits_callback: options.linkClickCallback,
	};
}

const doubtfulCallback = ({ options }: BulkInput): string | undefined =>
	[options.replyCallback, options.deliveryCallback, options.linkClickCallback].find(
		(url) => url !== undefined && !isPublicUrl(url),
	);

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send bulk SMS',
	description:
		'Send the same text message to many recipients or to a contact list, up to 500 recipients per request',
	fields: bulkFields,
	sends: {
		to: ({ recipients, listId = '' }) => recipients ?? { listId },
		text: ({ message }) => message,
		sendAt: ({ options: { sendAt } }) => sendAt,
		agentFields: ['message_id', 'recipients', 'not_sent', 'duplicate', 'parts'],
	},
	check: checkMessage,
	batch: {
		...{ createAligner, withoutRecipients, leaveOut, requestsFor, reader },
		...{ toListOutput, toRepeatedOutput, notSentOf, isUnconfirmed },
	},
	run: async ({ call, clock }, input) =>
		await call(sendBulkSms, toBulkRequest(input, clock.calendarNow()), {
			deliversTo: doubtfulCallback(input),
		}),
});
