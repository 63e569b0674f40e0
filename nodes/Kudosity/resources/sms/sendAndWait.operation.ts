import { sendSms } from '../../api/endpoints/sms';
import { options } from '../../fields/collection';
import { message } from '../../fields/message';
import { recipient } from '../../fields/recipient';
import { questionFields, replySender } from '../../fields/questionFields';
import { matchBy, questionOptions } from '../../fields/questionOptions';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';
import { sayBySms } from '../../sending/sayBySms';

/** POST /v2/sms, and a webhook until the reply is there. n8n knows the operation by its value. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Reply',
	action: 'Send SMS and wait for reply',
	description: 'Send a text message to one recipient and go on with their reply by SMS',
	fields: [
		message,
		replySender,
		recipient,
		...questionFields,
		options(matchBy, ...questionOptions),
	],
	sends: { to: toRecipient, text: ({ message }) => message },
	asks: {
		events: ['SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'],
		parties: ({ sender, recipient }) => ({ contact: recipient, senders: [sender] }),
		say: sayBySms,
	},
	run: async ({ call, reference }, { message, sender, recipient }) =>
		await call(sendSms, { message, sender, recipient, message_ref: reference }),
});
