import { z } from 'zod/v4';
import { recordId } from '../../api/schemas/recordInput.schema';
import { defineOperation } from '../../runtime/operation';
import { messageIdField } from './messageIdField';

/** GET /v2/rcs/messages/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get RCS message',
	description:
		'Get an RCS message with its status and what happened to it. FAILED may be what a webhook reports as REJECTED or UNDELIVERABLE.',
	properties: [messageIdField],
	input: z.object({ messageId: recordId }),
	run: async ({ client }, { messageId }) => await client.rcs.get(messageId),
});
