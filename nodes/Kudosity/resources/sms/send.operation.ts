import { sendSms } from '../../api/endpoints/sms';
import { options } from '../../fields/collection';
import { message, messageRef, trackLinks } from '../../fields/message';
import { recipient } from '../../fields/recipient';
import { sender } from '../../fields/sender';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';
import { smsLookUp } from './smsLookUp';

/** POST /v2/sms: one message to one recipient for each item. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send SMS',
	description: 'Send a text message to one recipient',
	fields: [message, sender, recipient, options(messageRef, trackLinks)],
	sends: { to: toRecipient, text: ({ message }) => message, lookUp: smsLookUp },
	run: async ({ call }, { options, ...sms }) =>
		await call(sendSms, {
			...sms,
			message_ref: options.messageRef,
			track_links: options.trackLinks,
		}),
});
