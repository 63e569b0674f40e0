import { sendRcsMessage } from '../../api/endpoints/rcs';
import { options } from '../../fields/collection';
import { messageRef } from '../../fields/message';
import { recipient } from '../../fields/recipient';
import { smsFallback, smsFallbackOf } from '../../fields/smsFallback';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';
import { agent } from './agent';
import { message, textContent } from './message';

/** POST /v2/rcs/messages: one message to one recipient for each item. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send RCS message',
	description:
		'Send an RCS message to one recipient, with an SMS in its place where RCS cannot reach them',
	fields: [agent, recipient, message, options(messageRef, ...smsFallback)],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	run: async ({ call }, { sender, recipient, message, options }) =>
		await call(sendRcsMessage, {
			sender,
			recipient,
			...textContent(message),
			sms_fallback: smsFallbackOf(options),
			message_ref: options.messageRef,
		}),
});
