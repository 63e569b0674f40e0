import { sendBulkSms } from '../../api/endpoints/bulkSms';
import { options } from '../../fields/collection';
import { bulkMessage } from '../../fields/message';
import { senderField } from '../../fields/sender';
import { defineOperation } from '../../runtime/operation';
import { answerOf } from './answer';
import { groupOf, requestsOf, tried, wouldSend } from './combine';
import { isSentInPart, notSentOf } from './notSent';
import { checkMessage, doubtfulCallback, requestOf } from './request';
import { bulkOptions } from './sendOptions';
import { receivers } from './sendTo';
import { steadyTimes } from './steadyTimes';

const sender = senderField({
	searchListMethod: 'searchNumbers',
	description:
		'A number of your account, or a sender name of at most 11 characters. Recipients can only reply to a number. The list has the leased numbers of the account.',
});

/** POST /send-sms.json, to a list, or to up to 500 recipients at a time, of all items that send the same. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send bulk SMS',
	description:
		'Send the same text message to many recipients, or to a contact list. Items with the same message, sender and options go out together, up to 500 recipients in one request; each number, and each list, gets it once.',
	fields: [bulkMessage, sender, ...receivers, options(...bulkOptions)],
	sends: {
		to: ({ recipients, listId = '' }) => recipients ?? { listId },
		text: ({ message }) => message,
		toldToAgents: ['message_id', 'recipients', 'not_sent', 'duplicate', 'parts'],
	},
	check: checkMessage,
	combine: {
		steady: steadyTimes,
		requestsOf,
		nameOf: groupOf,
		wouldSend,
		tried,
		answerOf,
		notSentOf,
		isSentInPart,
	},
	run: async ({ call, clock }, input) =>
		await call(sendBulkSms, requestOf(input, clock.calendarNow()), {
			deliversTo: doubtfulCallback(input.options),
		}),
});
