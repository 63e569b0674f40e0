import { senderFilter } from '../fields/recordFields';
import {
	getWhatsappMessage,
	getWhatsappMessages,
	sendWhatsappMessage,
} from '../api/endpoints/whatsapp';
import { mapRecords } from '../api/pagination';
import type { Service } from '../api/service';
import { filters, nameField, options } from '../fields/collections';
import { period, toPeriodQuery } from '../fields/dates';
import {
	field,
	type InputOf,
	messageTextField,
	refuse,
	shownWhen,
	textField,
} from '../fields/field';
import { simplified, readLimit, listing, simplify } from '../fields/listing';
import {
	chatText,
	messageId,
	messageRef,
	partiesWithFallback,
	recipient,
	senderField,
	smsFallback,
	smsFallbackOf,
	toRecipient,
} from '../fields/message';
import { questionFields, questionOptions } from '../fields/question';
import {
	isText,
	jsonObject,
	oneOf,
	optional,
	optionalText,
	recordId,
	requiredText,
	senderPhoneNumber,
} from '../fields/readers';
import type { Json } from '../lib/json';
import { isBlank } from '../lib/text';
import { defineOperation, type Resource } from '../fields/operation';

const contentType = field(oneOf(['text', 'template', 'custom']), {
	displayName: 'Content Type',
	name: 'contentType',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Custom',
			value: 'custom',
			description: "Any message type that Meta's Cloud API supports, e.g. a picture",
		},
		{
			name: 'Template',
			value: 'template',
			description: 'A template approved by WhatsApp. You can use it to start a conversation.',
		},
		{
			name: 'Text',
			value: 'text',
			description:
				"Free-form text, which can be sent only within 24 hours of the contact's last message",
		},
	],
	default: 'text',
	description:
		"The kind of content to send. More than 24 hours after the contact's last message, WhatsApp only accepts templates.",
});

const message = chatText(requiredText, 'The text to send');

const templateName = nameField({
	displayName: 'Template Name',
	name: 'templateName',
	placeholder: 'e.g. order_confirmation',
	description: 'Exact name of a template that WhatsApp has approved for your account',
});

/** Reads a template parameter. Parameters are positional, so a missing one would shift all that follow. */
const parameterAt = (value: unknown, index: number): string =>
	isText(value) && !isBlank(value)
		? String(value)
		: refuse(
				`has no text at position ${index + 1}`,
				'Enter a value for each variable of the template, or check what the expressions return',
			);

/**
 * Reads the template parameters. The list is empty for a template without variables, but an expression that returns
 * nothing is refused.
 */
const parameters = (value: unknown): string[] => [value].flat().map(parameterAt);

const templateParameters = messageTextField(
	field(parameters, {
		displayName: 'Template Parameters',
		name: 'templateParameters',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Template Parameter' },
		default: [],
		placeholder: 'e.g. Sam',
		description: 'Values for the variables {{1}}, {{2}} and so on, in that order',
	}),
);

const templateLocale = textField((value) => optionalText(value)?.trim(), {
	displayName: 'Template Language',
	name: 'templateLocale',
	placeholder: 'e.g. en_US',
	description: 'Language code of the template, e.g. en_US. Defaults to en.',
});

const parties = ['to', 'recipient', 'from', 'sender'];

/**
 * Refuses content with a recipient or sender. The sending limits only check the Recipient field, so a recipient inside
 * the content would bypass them.
 */
function withoutParties(value: unknown): Json {
	const message = jsonObject(value);
	const party = Object.keys(message).find((name) => parties.includes(name.trim().toLowerCase()));
	return party === undefined
		? message
		: refuse(`has '${party}'`, "Remove it: it is already set by 'Recipient' or 'Sender'");
}

const content = messageTextField(
	field(withoutParties, {
		displayName: 'Content',
		name: 'content',
		type: 'json',
		typeOptions: { rows: 6 },
		required: true,
		default: '{\n  "type": "image",\n  "image": { "link": "https://example.com/picture.jpg" }\n}',
		description:
			"The message in the format of Meta's Cloud API, without the recipient or sender. Also works for templates with pictures.",
	}),
);

const contentFields = [
	contentType,
	shownWhen({ contentType: ['text'] }, message),
	shownWhen({ contentType: ['template'] }, templateName),
	shownWhen({ contentType: ['template'] }, templateParameters),
	shownWhen({ contentType: ['template'] }, templateLocale),
	shownWhen({ contentType: ['custom'] }, content),
] as const;

type Content = InputOf<readonly [typeof contentType]> & Partial<InputOf<typeof contentFields>>;

/** Returns the content as the service expects it, nested under the name of its type. */
function contentOf(input: Content) {
	const { templateName: name, templateParameters: parameters, templateLocale: locale } = input;
	switch (input.contentType) {
		case 'text':
			return { text: { message: input.message } };
		case 'template':
			return { template: { name, parameters, locale } };
		case 'custom':
			return { custom: input.content };
	}
}

const sender = senderFilter(
	'e.g. 61491570110',
	'Your WhatsApp number. Only needed if you have several numbers.',
);

type Message = Content & {
	sender?: string;
	recipient: string;
	options?: Parameters<typeof smsFallbackOf>[0];
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
		sms_fallback: options && smsFallbackOf(options),
		message_ref: reference,
	});

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
		description: 'The WhatsApp number that sends the question and receives the reply',
		by: 'Number',
	},
	senderPhoneNumber,
);

/** Sends a message and waits for a reply to it or to its fallback SMS. */
export const sendAndWait = defineOperation({
	value: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send WhatsApp message and wait for response',
	description:
		'Send a WhatsApp message to one recipient, wait for their reply (a text or a button tap), and continue with it',
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
		notify: async (service, { text, reference, ...parties }) =>
			await deliver(service, { ...parties, contentType: 'text', message: text }, reference),
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

const campaignId = textField(optional(recordId), {
	displayName: 'Campaign ID',
	name: 'campaignId',
	placeholder: 'e.g. 9b2e4c1a-7f3d-4a8b-9c5e-2d1f6a8b3c4d',
	description: 'Only messages from this campaign',
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many WhatsApp messages',
	description: 'Get WhatsApp messages with their status, newest first',
	fields: [...listing, simplify, filters(campaignId, ...period)],
	run: ({ list, timeZone }, { filters, simplify, ...input }) => {
		const query = { ...toPeriodQuery(filters, timeZone), campaign_id: filters.campaignId };
		const messages = list(getWhatsappMessages, query, readLimit(input));
		return mapRecords(messages, simplified('WHATSAPP', simplify));
	},
});

export const whatsapp: Resource = {
	value: 'whatsapp',
	name: 'WhatsApp Message',
	description: 'Messages and templates on WhatsApp, with SMS as a fallback',
	connection: 'key',
	operations: [send, sendAndWait, get, getAll],
};
