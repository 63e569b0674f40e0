import { getBulkSmsStats } from '../../api/endpoints/bulkSms';
import { defineOperation } from '../../runtime/operation';
import { messageId } from './messageId';

/** POST /get-sms-stats.json. */
export const getStats = defineOperation({
	value: 'getStats',
	name: 'Get Stats',
	action: 'Get stats of bulk SMS',
	description:
		'Get the figures of a message: delivered, not delivered, replies, opt-outs and clicks',
	fields: [messageId],
	run: async ({ call }, { messageId: id }) => await call(getBulkSmsStats, { message_id: id }),
});
