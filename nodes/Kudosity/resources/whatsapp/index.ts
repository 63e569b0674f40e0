import { senderFilter } from '../../fields/account';
import {
	getWhatsappMessage,
	getWhatsappMessages,
	sendWhatsappMessage,
} from '../../api/endpoints/whatsapp';
import type { Service } from '../../api/service';
import { filters, options } from '../../fields/collections';
import { period, toPeriodQuery } from '../../fields/dates';
import { field, type InputOf } from '../../fields/field';
import { simplifiedList, simplified, readLimit, listing, simplify } from '../../fields/listing';
import {
	messageId,
	messageRef,
	partiesWithFallback,
	recipient,
	senderField,
	smsFallback,
	smsFallbackOf,
	toRecipient,
} from '../../fields/message';
import { questionFields, questionOptions } from '../../fields/question';
import { optional, recordId, senderPhoneNumber } from '../../fields/readers';
import { defineOperation, type Resource } from '../../operation';
import { contentFields, contentOf } from './content';

const sender = senderFilter(
	'e.g. 61491570110',
	'Your WhatsApp number. Only needed if you have several.',
);

type Message = InputOf<typeof contentFields> & {
	sender?: string;
	recipient: string;
	options: Parameters<typeof smsFallbackOf>[0];
};

const deliver = async (
	{ call }: Service,
	{ sender, recipient, options, ...content }: Message,
	reference: string | undefined,
) =>
	await call(sendWhatsappMessage, {
		sender,
		recipient,
		content_type: content.contentType,
		content: contentOf(content),
		sms_fallback: smsFallbackOf(options),
		message_ref: reference,
	});

/** POST /v2/whatsapp/messages: one message to one recipient per item. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send WhatsApp message',
	description: 'Send a WhatsApp message to one recipient, as free-form text or from a template',
	fields: [recipient, ...contentFields, options(messageRef, sender, ...smsFallback)],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	run: async (service, input) => {
		const { sender, messageRef } = input.options;
		return await deliver(service, { ...input, sender }, messageRef);
	},
});

const askingSender = senderField(
	{
		description: 'Your WhatsApp number that sends the question and receives the reply',
		by: 'Number',
	},
	senderPhoneNumber,
);

/** POST /v2/whatsapp/messages, plus a webhook until a reply to the message or to its fallback SMS arrives. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send WhatsApp message and wait for response',
	description:
		'Send a WhatsApp message to one recipient and continue with their reply, typed or by button',
	fields: [
		askingSender,
		recipient,
		...contentFields,
		...questionFields,
		options(...questionOptions, ...smsFallback),
	],
	sends: { to: toRecipient, fallback: ({ options }) => smsFallbackOf(options)?.message },
	asks: {
		events: ['WHATSAPP_INBOUND', 'SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'],
		parties: partiesWithFallback,
		notify: async ({ call }, { text, reference, ...parties }) =>
			await call(sendWhatsappMessage, {
				...parties,
				content_type: 'text',
				content: { text: { message: text } },
				message_ref: reference,
			}),
	},
	run: async (services, input) => await deliver(services, input, services.reference),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get WhatsApp message',
	description: 'Get a sent WhatsApp message with its status',
	fields: [messageId, simplify],
	run: async ({ call }, { messageId, simplify }) =>
		simplified('WHATSAPP', simplify)(await call(getWhatsappMessage, { id: messageId })),
});

const campaignId = field(optional(recordId), {
	displayName: 'Campaign ID',
	name: 'campaignId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 9b2e4c1a-7f3d-4a8b-9c5e-2d1f6a8b3c4d',
	description: 'Only messages of this campaign',
});

/** GET /v2/whatsapp/messages: one item per message, newest first. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many WhatsApp messages',
	description: 'Get WhatsApp messages with their status, newest first',
	fields: [...listing, simplify, filters(campaignId, ...period)],
	run: ({ list, timeZone }, { filters, simplify, ...input }) => {
		const query = { ...toPeriodQuery(filters, timeZone), campaign_id: filters.campaignId };
		return simplifiedList('WHATSAPP', simplify, list(getWhatsappMessages, query, readLimit(input)));
	},
});

export const whatsapp: Resource = {
	value: 'whatsapp',
	name: 'WhatsApp Message',
	connection: 'key',
	operations: [send, sendAndWait, get, getAll],
};
