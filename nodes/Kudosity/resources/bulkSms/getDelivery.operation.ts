import { getBulkSmsDelivery } from '../../api/endpoints/bulkSms';
import { phoneField } from '../../fields/recipient';
import { defineOperation } from '../../runtime/operation';
import { messageId } from './messageId';

const recipient = phoneField({
	displayName: 'Recipient',
	name: 'recipient',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 61491570006',
	description: 'One of the phone numbers that the message was sent to',
});

/** POST /get-sms-delivery-status.json. */
export const getDelivery = defineOperation({
	value: 'getDelivery',
	name: 'Get Delivery',
	action: 'Get delivery of bulk SMS',
	description: 'Get the delivery status of a message for one of its recipients',
	fields: [messageId, recipient],
	run: async ({ call }, { messageId: id, recipient: msisdn }) =>
		await call(getBulkSmsDelivery, { message_id: id, msisdn }),
});
