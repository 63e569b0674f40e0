import { senderFilter } from '../../fields/account';
import { smsStatuses } from '../../api/endpoints/sms';
import { checkDateOrder, dateRange } from '../../fields/dates';
import { field, type InputOf } from '../../fields/field';
import { optionalOneOf, optional, optionalText, phoneNumber } from '../../fields/readers';
import { statusOptionsOf } from '../../fields/webhook';

const directions = ['IN', 'OUT'] as const;

const direction = field(optionalOneOf(directions), {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	options: [
		{ name: 'Received', value: 'IN' },
		{ name: 'Sent', value: 'OUT' },
	],
	default: 'IN',
	description: 'Only received messages, or only sent ones',
});

const messageRef = field(optionalText, {
	displayName: 'Message Reference',
	name: 'messageRef',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1234',
	description: 'Only messages sent with this reference',
});

const recipient = field(optional(phoneNumber), {
	displayName: 'Recipient',
	name: 'recipient',
	type: 'string',
	default: '',
	placeholder: 'e.g. 61491570006',
	description: 'Only messages to this number. For received messages, that is one of your numbers.',
});

const sender = senderFilter(
	'e.g. 61491570006',
	"Only messages from this number or sender name. For received messages, that is the contact's number.",
);

const [startDate, endDate] = dateRange({
	start: 'Only messages created at or after this time.',
	end: 'Only messages created at or before this time.',
});

const status = field(optionalOneOf(smsStatuses), {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: statusOptionsOf(smsStatuses),
	default: 'DELIVERED',
	description: 'Only messages with this status',
});

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
