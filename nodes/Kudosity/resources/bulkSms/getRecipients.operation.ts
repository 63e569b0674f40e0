import { deliveryFilters, getBulkSmsRecipients } from '../../api/endpoints/bulkSms';
import { filters } from '../../fields/collection';
import { field } from '../../fields/field';
import { maybeListId } from '../../fields/listId';
import { limitOf, listing } from '../../fields/listing';
import { maybeOneOf } from '../../fields/readers/choice';
import { defineOperation } from '../../runtime/operation';
import { messageId } from './messageId';

const delivery = field(
	{
		displayName: 'Delivery',
		name: 'delivery',
		type: 'options',
		options: [
			{ name: 'Delivered', value: 'delivered' },
			{ name: 'Not Delivered', value: 'failed', description: 'Bounced, for now or for good' },
			{ name: 'Pending', value: 'pending' },
		],
		default: 'delivered',
		description: 'Only recipients for whom the message has this status now',
	},
	maybeOneOf(deliveryFilters),
);

const optOuts = ['true', 'false'] as const;

const optouts = field(
	{
		displayName: 'Opt-Outs',
		name: 'optouts',
		type: 'options',
		options: [
			{ name: 'Leave Out', value: 'false' },
			{ name: 'Only', value: 'true' },
		],
		default: 'true',
		description: 'Whether only recipients who have opted out are wanted, or only all others',
	},
	maybeOneOf(optOuts),
);

const listId = maybeListId(
	'The contact list to take names from, if the message was not sent to a list',
);

/** POST /get-sms-sent.json: one item for each recipient. */
export const getRecipients = defineOperation({
	value: 'getRecipients',
	name: 'Get Recipients',
	action: 'Get recipients of bulk SMS',
	description: 'List the recipients of a message, each with the delivery status',
	fields: [messageId, ...listing, filters(delivery, listId, optouts)],
	run: ({ list }, { messageId: id, filters: { listId: list_id, ...filters }, ...input }) =>
		list(getBulkSmsRecipients, { message_id: id, list_id, ...filters }, limitOf(input)),
});
