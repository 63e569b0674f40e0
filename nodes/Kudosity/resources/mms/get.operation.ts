import { getMms } from '../../api/endpoints/mms';
import { messageId } from '../../fields/messageId';
import { inForm, simplify } from '../../fields/simplify';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/mms/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get MMS',
	description: 'Get an MMS that was sent, with its status',
	fields: [messageId, simplify],
	run: async ({ call }, { messageId, simplify }) =>
		inForm('MMS', simplify)(await call(getMms, { id: messageId })),
});
