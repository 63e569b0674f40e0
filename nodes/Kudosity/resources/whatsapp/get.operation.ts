import { getWhatsappMessage } from '../../api/endpoints/whatsapp';
import { messageId } from '../../fields/messageId';
import { inForm, simplify } from '../../fields/simplify';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/whatsapp/messages/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get WhatsApp message',
	description: 'Get a WhatsApp message that was sent, with its status',
	fields: [messageId, simplify],
	run: async ({ call }, { messageId, simplify }) =>
		inForm('WHATSAPP', simplify)(await call(getWhatsappMessage, { id: messageId })),
});
