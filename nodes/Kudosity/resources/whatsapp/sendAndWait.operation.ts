import { sendWhatsappMessage } from '../../api/endpoints/whatsapp';
import { options } from '../../fields/collection';
import { recipient } from '../../fields/recipient';
import { questionFields } from '../../fields/questionFields';
import { questionOptions } from '../../fields/questionOptions';
import { senderPhoneNumber } from '../../fields/readers/phone';
import { senderField } from '../../fields/sender';
import { fallbackSendersOf, smsFallback, smsFallbackOf } from '../../fields/smsFallback';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';
import { contentFields, contentOf } from './content';

const sender = senderField(
	{
		description:
			'The WhatsApp number of your account that asks: the reply goes there. The list has the numbers used lately.',
		hint: undefined,
		by: 'Number',
	},
	senderPhoneNumber,
);

/** POST /v2/whatsapp/messages, and a webhook until the reply is there, also to an SMS in its place. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Reply',
	action: 'Send WhatsApp message and wait for reply',
	description:
		'Send a WhatsApp message to one recipient and go on with their reply, in words or by a button. A reply to the SMS in its place counts when that has a number as SMS Fallback Sender.',
	fields: [
		recipient,
		sender,
		...contentFields,
		...questionFields,
		options(...questionOptions, ...smsFallback),
	],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	asks: {
		events: ['WHATSAPP_INBOUND', 'SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'],
		parties: ({ sender, recipient, options }) => ({
			contact: recipient,
			senders: [sender, ...fallbackSendersOf(options)],
		}),
		say: async ({ call }, { text, reference, ...parties }) =>
			await call(sendWhatsappMessage, {
				...parties,
				content_type: 'text',
				content: { text: { message: text } },
				message_ref: reference,
			}),
	},
	run: async ({ call, reference }, { sender, recipient, options, ...content }) =>
		await call(sendWhatsappMessage, {
			sender,
			recipient,
			content_type: content.contentType,
			content: contentOf(content),
			sms_fallback: smsFallbackOf(options),
			message_ref: reference,
		}),
});
