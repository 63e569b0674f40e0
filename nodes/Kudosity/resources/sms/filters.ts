import { smsStatuses } from '../../api/endpoints/sms';
import { checkDateOrder, dateRange } from '../../fields/dates';
import { field, type InputOf } from '../../fields/field';
import { optionalPhoneField } from '../../fields/message';
import { optionalOneOf, optional, optionalText, senderAddress } from '../../fields/readers';
import { statusOptionsOf } from '../../fields/webhook';

const directions = ['IN', 'OUT'] as const;

const direction = field(
	{
		displayName: 'Direction',
		name: 'direction',
		type: 'options',
		options: [
			{ name: 'Received', value: 'IN' },
			{ name: 'Sent', value: 'OUT' },
		],
		default: 'IN',
		description: 'Only messages that were received, or only those that were sent',
	},
	optionalOneOf(directions),
);

const messageRef = field(
	{
		displayName: 'Message Reference',
		name: 'messageRef',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-1234',
		description: 'Only messages that were sent with this reference',
	},
	optionalText,
);

const recipient = optionalPhoneField({
	displayName: 'Recipient',
	name: 'recipient',
	type: 'string',
	default: '',
	placeholder: 'e.g. 61491570006',
	description:
		'Only messages to this number. Of received messages, the recipient is the number of your account.',
});

const sender = field(
	{
		displayName: 'Sender',
		name: 'sender',
		type: 'string',
		default: '',
		placeholder: 'e.g. 61491570006',
		description:
			'Only messages from this number or sender name. Of received messages, the sender is the number of the person who wrote.',
	},
	optional(senderAddress),
);

const [startDate, endDate] = dateRange({
	start: 'Only messages created at or after this time.',
	end: 'Only messages created at or before this time.',
});

const status = field(
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: statusOptionsOf(smsStatuses),
		default: 'DELIVERED',
		description: 'Only messages that have this status now',
	},
	optionalOneOf(smsStatuses),
);

export const smsFilters = [
	direction,
	endDate,
	messageRef,
	recipient,
	sender,
	startDate,
	status,
] as const;

const asTimestamp = (time: number | undefined) =>
	time === undefined ? undefined : new Date(time).toISOString();

/** @throws InputError when End Date is before Start Date */
export const smsQueryOf = ({
	messageRef,
	startDate,
	endDate,
	...filters
}: InputOf<typeof smsFilters>) => {
	checkDateOrder({ startDate, endDate });
	return {
		...filters,
		message_ref: messageRef,
		start_date: asTimestamp(startDate),
		end_date: asTimestamp(endDate),
	};
};
