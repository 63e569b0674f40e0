import { getBulkSms } from '../../api/endpoints/bulkSms';
import { defineOperation } from '../../runtime/operation';
import { messageId } from './messageId';

/** POST /get-sms.json. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get bulk SMS',
	description: 'Get a message with its text, its cost and its number of recipients by status',
	fields: [messageId],
	run: async ({ call }, { messageId: id }) => await call(getBulkSms, { message_id: id }),
});
