import { getRcsMessage } from '../../api/endpoints/rcs';
import { messageId } from '../../fields/messageId';
import { inForm, simplify } from '../../fields/simplify';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/rcs/messages/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get RCS message',
	description:
		'Get an RCS message with its status. FAILED may be what a webhook reports as REJECTED or UNDELIVERABLE.',
	fields: [messageId, simplify],
	run: async ({ call }, { messageId, simplify }) =>
		inForm('RCS', simplify)(await call(getRcsMessage, { id: messageId })),
});
