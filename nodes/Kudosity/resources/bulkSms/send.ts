import { isPublicUrl } from '../../api/credential';
import { sendBulkSms } from '../../api/endpoints/bulkSms';
import { InputError } from '../../api/errors';
import type { InputOf } from '../../fields/field';
import { placeholders } from '../../fields/message';
import type { Recipients } from '../../fields/phone/phones';
import { toV1Time } from '../../lib/time';
import { defineOperation } from '../../operation';
import { countLeftOut, isCovered, isSentInPart, notSentOf } from './answer';
import { alignSendTimes, createSender, groupOf, leaveOut } from './batch';
import { bulkFields, type bulkOptions } from './fields';

type Options = Partial<InputOf<typeof bulkOptions>>;

type Sent = {
	message: string;
	sender: string;
	recipients?: Recipients;
	listId?: string;
	options: Options;
};

const maxMessageLength = 612;

const { optOutLink, optOutLinkV1, trackedLink } = placeholders;

const asSent = (message: string): string => message.replaceAll(optOutLink, optOutLinkV1);

const checkTime = (sendAt: number | undefined, now: number): void => {
	if (sendAt !== undefined && sendAt <= now) {
		throw new InputError(
			"'Options > Send At' is in the past",
			'Choose a later time, or remove the option to send right away',
		);
	}
};

/** Checked up front, because the service would only refuse it after messages of other items have gone out. */
const checkLength = (message: string): void => {
	if (asSent(message).length > maxMessageLength) {
		throw new InputError(
			`'Message' is longer than ${maxMessageLength} characters`,
			'Shorten it, or use SMS → Send, which accepts longer ones',
		);
	}
};

/**
 * Otherwise recipients would see the placeholder itself, or get no link. Send At is checked separately: an item that
 * was sent before its time must still be skipped afterwards, not refused.
 */
const checkLink = ({ message, options: { trackedLinkUrl: url } }: Sent): void => {
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
};

export const checkMessage = (sent: Sent): void => {
	checkLength(sent.message);
	checkLink(sent);
};

/** `now` in milliseconds. @throws InputError too long, Send At is past, or a link lacks its placeholder or URL */
export const toBulkRequest = (sent: Sent, now: number) => {
	const { message, sender, options, ...to } = sent;
	const { sendAt, trackedLinkUrl } = options;
	checkTime(sendAt, now);
	checkMessage(sent);
	return {
		message: asSent(message),
		to: to.recipients?.numbers,
		list_id: to.listId,
		from: sender,
		send_at: sendAt === undefined ? undefined : toV1Time(sendAt),
		validity: options.validity,
		tracked_link_url: trackedLinkUrl,
		replies_to_email: options.repliesToEmail,
		reply_callback: options.replyCallback,
		dlr_callback: options.deliveryCallback,
		link_hits_callback: options.linkClickCallback,
	};
};

export const doubtfulCallback = ({
	replyCallback,
	deliveryCallback,
	linkClickCallback,
}: Options): string | undefined =>
	[replyCallback, deliveryCallback, linkClickCallback].find(
		(url) => url !== undefined && !isPublicUrl(url),
	);

/** POST /send-sms.json: items that send the same go out together, to a list or to up to 500 recipients per request. */
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
		agentFields: ['message_id', 'recipients', 'not_sent', 'duplicate', 'parts'],
	},
	check: checkMessage,
	batch: {
		normalizer: alignSendTimes,
		sender: createSender,
		groupOf,
		leaveOut,
		isCovered,
		countLeftOut,
		notSentOf,
		isSentInPart,
	},
	run: async ({ call, clock }, input) =>
		await call(sendBulkSms, toBulkRequest(input, clock.calendarNow()), {
			deliversTo: doubtfulCallback(input.options),
		}),
});
