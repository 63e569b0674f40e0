import { sendRcsMessage } from '../../api/endpoints/rcs';
import { options } from '../../fields/collection';
import { recipient } from '../../fields/recipient';
import { questionFields } from '../../fields/questionFields';
import { questionOptions } from '../../fields/questionOptions';
import { fallbackSendersOf, smsFallback, smsFallbackOf } from '../../fields/smsFallback';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';
import { agent } from './agent';
import { message, textContent } from './message';

/** POST /v2/rcs/messages, and a webhook until the reply is there, also to an SMS in its place. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Reply',
	action: 'Send RCS message and wait for reply',
	description:
		'Send an RCS message to one recipient and go on with their reply. A reply to the SMS in its place counts when that has a number as SMS Fallback Sender.',
	fields: [
		agent,
		recipient,
		message,
		...questionFields,
		options(...questionOptions, ...smsFallback),
	],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	asks: {
		events: ['RCS_INBOUND', 'SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'],
		parties: ({ sender, recipient, options }) => ({
			contact: recipient,
			senders: [sender, ...fallbackSendersOf(options)],
		}),
		say: async ({ call }, { text, reference, ...parties }) =>
			await call(sendRcsMessage, { ...parties, ...textContent(text), message_ref: reference }),
	},
	run: async ({ call, reference }, { sender, recipient, message, options }) =>
		await call(sendRcsMessage, {
			sender,
			recipient,
			...textContent(message),
			sms_fallback: smsFallbackOf(options),
			message_ref: reference,
		}),
});
