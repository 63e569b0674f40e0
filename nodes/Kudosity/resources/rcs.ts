import {
	checkRcsCapability,
	getRcsMessage,
	getRcsMessages,
	maxPhoneNumbers,
	type RcsMessage,
	rcsProgress,
	rcsStatuses,
	sendRcsMessage,
} from '../api/endpoints/rcs';
import { mapRecords } from '../api/pagination';
import { pollUntil, type Service } from '../api/service';
import { timeLimit } from '../fields/recordFields';
import { filters, options, resourceLocator } from '../fields/collections';
import { period, toPeriodQuery } from '../fields/dates';
import { field, type Field, refuse } from '../fields/field';
import { simplified, readLimit, listing, simplify } from '../fields/listing';
import {
	messageId,
	messageRef,
	partiesWithFallback,
	recipient,
	recipients,
	smsFallback,
	smsFallbackOf,
	toRecipient,
	chatText,
} from '../fields/message';
import { questionFields, questionOptions } from '../fields/question';
import { atMostLong, requiredText, someOf, trimmedText, wholeNumber } from '../fields/readers';
import { defineOperation, type Resource } from '../fields/operation';

const agent = resourceLocator(trimmedText, {
	displayName: 'Sender',
	name: 'sender',
	noun: 'sender',
	searchListMethod: 'searchSenders',
	placeholder: 'e.g. DemoSender',
	description: 'The ID of your RCS agent',
	isTypedFirst: true,
});

const maxMessageLength = 3072;

const message = chatText(
	(value) => atMostLong(maxMessageLength)(requiredText(value)),
	`The text to send, up to ${maxMessageLength} characters`,
);

type Message = {
	sender: string;
	recipient: string;
	message: string;
	options?: Parameters<typeof smsFallbackOf>[0];
};

const deliver = async (
	{ call }: Service,
	{ sender, recipient, message, options }: Message,
	reference: string | undefined,
) =>
	await call(sendRcsMessage, {
		sender,
		recipient,
		content_type: 'text',
		content: { text: { message } },
		sms_fallback: options && smsFallbackOf(options),
		message_ref: reference,
	});

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send RCS message',
	description: 'Send an RCS message to one recipient, with an optional SMS fallback',
	fields: [agent, recipient, message, options(messageRef, ...smsFallback)],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	run: async (service, input) => await deliver(service, input, input.options.messageRef),
});

/** Sends a message and waits for a reply to it or to its fallback SMS. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send RCS message and wait for response',
	description: 'Send an RCS message to one recipient, wait for their reply, and continue with it',
	fields: [
		agent,
		recipient,
		message,
		...questionFields,
		options(...questionOptions, ...smsFallback),
	],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	asks: {
		events: ['RCS_INBOUND', 'SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'],
		parties: partiesWithFallback,
		notify: async (service, { text, reference, ...parties }) =>
			await deliver(service, { ...parties, message: text }, reference),
	},
	run: async (services, input) => await deliver(services, input, services.reference),
});

const phoneNumbers: Field<'phoneNumbers', string[]> = {
	...recipients,
	property: {
		...recipients.property,
		displayName: 'Phone Numbers',
		name: 'phoneNumbers',
		description: `Up to ${maxPhoneNumbers} phone numbers separated by commas, or an expression that returns a list. Fastest with up to 10 numbers.`,
	},
	read: (value, scope) => {
		const { numbers, refused } = recipients.read(value, scope);
		const [wrong] = refused;
		if (wrong) {
			refuse(`at position ${wrong.position} ${wrong.reason}`, wrong.remedy, 'invalid_number');
		}
		return numbers.length <= maxPhoneNumbers
			? numbers
			: refuse(
					`has ${numbers.length} numbers, but only ${maxPhoneNumbers} are allowed`,
					`Split the list into items of up to ${maxPhoneNumbers} numbers`,
				);
	},
};

export const checkCapability = defineOperation({
	value: 'checkCapability',
	name: 'Check Capability',
	action: 'Check RCS capability',
	description:
		'Check which phone numbers can receive RCS. Outputs one item per number, with the code ENABLED if the number can receive RCS. Nothing is sent.',
	fields: [agent, phoneNumbers],
	run: async ({ call }, { sender, phoneNumbers }) =>
		await call(checkRcsCapability, { sender, phone_numbers: phoneNumbers }),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get RCS message',
	description: 'Get an RCS message with its status. FAILED may mean REJECTED or UNDELIVERABLE.',
	fields: [messageId, simplify],
	run: async ({ call }, { messageId, simplify }) =>
		simplified('RCS', simplify)(await call(getRcsMessage, { id: messageId })),
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many RCS messages',
	description:
		'Get RCS messages with their status, newest first. FAILED may mean REJECTED or UNDELIVERABLE.',
	fields: [...listing, simplify, filters(...period)],
	run: ({ list, timeZone }, { filters, simplify, ...input }) => {
		const query = toPeriodQuery(filters, timeZone);
		return mapRecords(list(getRcsMessages, query, readLimit(input)), simplified('RCS', simplify));
	},
});

/** A note on FAILED, because polling reports fewer statuses than webhook events do. */
const failedRemark =
	'FAILED may mean REJECTED or UNDELIVERABLE: only webhook events tell them apart.';

const defaultIntervalSeconds = 5;
const defaultTimeoutSeconds = 60;

const progressOf = (status: string): number => rcsProgress.findIndex((step) => step === status);

/**
 * Whether a message has reached one of the statuses. Later statuses count, too, because messages only move forward and
 * can skip a status between two checks. FAILED is final, so it ends any wait.
 */
const hasReached = (status: string, until: readonly string[]): boolean =>
	status === 'FAILED' ||
	until.some((wanted) => wanted !== 'FAILED' && progressOf(status) >= progressOf(wanted));

const statusOf = ({ status }: RcsMessage): string => status.toUpperCase();

const until = field(someOf(rcsStatuses), {
	displayName: 'Until',
	name: 'until',
	type: 'multiOptions',
	required: true,
	options: [
		{ name: 'Delivered', value: 'DELIVERED' },
		{ name: 'Failed', value: 'FAILED', description: failedRemark },
		{ name: 'Queued', value: 'QUEUED' },
		{ name: 'Read', value: 'READ' },
		{ name: 'Sent', value: 'SENT' },
	],
	default: ['DELIVERED', 'READ', 'FAILED'],
	description:
		'Stop waiting when the message reaches one of these statuses, or a later one. FAILED always ends the wait.',
});

const intervalSeconds = field(wholeNumber({ min: 1, max: 3600 }), {
	displayName: 'Interval (Seconds)',
	name: 'intervalSeconds',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: defaultIntervalSeconds,
	description: 'How many seconds to wait between status checks',
});

const timeoutSeconds = timeLimit(
	defaultTimeoutSeconds,
	'How many seconds to wait. After that, the output is the message with its latest status and <code>timedOut: true</code>.',
);

export const waitForStatus = defineOperation({
	value: 'waitForStatus',
	name: 'Wait for Status',
	action: 'Wait for RCS message status',
	description: 'Wait until an RCS message reaches a status or the wait times out',
	fields: [messageId, until, options(intervalSeconds, timeoutSeconds)],
	run: async ({ call, clock }, { messageId, until, options }) => {
		const { intervalSeconds = defaultIntervalSeconds } = options;
		const { timeoutSeconds = defaultTimeoutSeconds } = options;
		const { answer, timedOut } = await pollUntil({
			check: async () => await call(getRcsMessage, { id: messageId }),
			isDone: (message) => hasReached(statusOf(message), until),
			intervalMs: intervalSeconds * 1000,
			timeoutMs: timeoutSeconds * 1000,
			clock,
		});
		const isFailed = statusOf(answer) === 'FAILED';
		return { ...answer, ...(isFailed && { failedDetail: 'unknown' }), timedOut };
	},
});

export const rcs: Resource = {
	value: 'rcs',
	name: 'RCS Message',
	description: 'Messages from your RCS agents, with SMS as a fallback',
	connection: 'key',
	operations: [send, sendAndWait, checkCapability, get, getAll, waitForStatus],
};
