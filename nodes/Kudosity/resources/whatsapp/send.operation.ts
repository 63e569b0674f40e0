import { sendWhatsappMessage } from '../../api/endpoints/whatsapp';
import { options } from '../../fields/collection';
import { field } from '../../fields/field';
import { messageRef } from '../../fields/message';
import { recipient } from '../../fields/recipient';
import { senderAddress } from '../../fields/readers/phone';
import { optional } from '../../fields/readers/text';
import { smsFallback, smsFallbackOf } from '../../fields/smsFallback';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';
import { contentFields, contentOf } from './content';

const sender = field(
	{
		displayName: 'Sender',
		name: 'sender',
		type: 'string',
		default: '',
		placeholder: 'e.g. 61491570110',
		description: 'A WhatsApp number of your account. Needed only when it has several.',
	},
	optional(senderAddress),
);

/** POST /v2/whatsapp/messages: one message to one recipient for each item. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send WhatsApp message',
	description:
		'Send a WhatsApp message to one recipient: a text within 24 hours after they wrote, else a template',
	fields: [recipient, ...contentFields, options(messageRef, sender, ...smsFallback)],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	run: async ({ call }, { recipient, options, ...content }) =>
		await call(sendWhatsappMessage, {
			sender: options.sender,
			recipient,
			content_type: content.contentType,
			content: contentOf(content),
			sms_fallback: smsFallbackOf(options),
			message_ref: options.messageRef,
		}),
});
