import { getMms, sendMms } from '../api/endpoints/mms';
import { publicUrl } from '../fields/addresses';
import { options } from '../fields/collections';
import { messageTextField, refuse, textField } from '../fields/field';
import { simplified, simplify } from '../fields/listing';
import {
	messageId,
	messageRef,
	recipient,
	sender,
	smsText,
	toRecipient,
	trackLinks,
} from '../fields/message';
import { atMostLong, optional } from '../fields/readers';
import { defineOperation, type Resource } from '../fields/operation';

const maxSubjectLength = 20;
const maxMessageLength = 1000;

const contentUrl = textField(publicUrl, {
	displayName: 'Content URL',
	name: 'contentUrl',
	required: true,
	placeholder: 'e.g. https://example.com/picture.jpg',
	description: 'Public HTTPS URL of the picture, audio or video file',
	hint: 'One JPG, GIF, PNG, MP3 or MP4 file of up to 400 KB',
});

const asciiOnly = (text: string): string =>
	/^[\x20-\x7e]*$/.test(text)
		? text
		: refuse('has special characters', 'Remove accents, emoji and line breaks');

const readSubject = (text: string) => asciiOnly(atMostLong(maxSubjectLength)(text));
const readMessage = (text: string) => atMostLong(maxMessageLength)(smsText(text));

const subject = messageTextField(
	textField(optional(readSubject), {
		displayName: 'Subject',
		name: 'subject',
		placeholder: 'e.g. Your order',
		description: `Up to ${maxSubjectLength} characters, no accents or emoji`,
	}),
);

const message = messageTextField(
	textField(optional(readMessage), {
		displayName: 'Message',
		name: 'message',
		typeOptions: { rows: 4 },
		placeholder: 'e.g. Hi Sam, your order is ready. Opt out: [opt-out-link]',
		description: `The text to send with the file, up to ${maxMessageLength} characters. [opt-out-link] is replaced with an unsubscribe link.`,
	}),
);

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send MMS',
	description:
		'Send a picture, audio or video file, with or without text, to one recipient in Australia',
	fields: [sender, recipient, message, contentUrl, subject, options(messageRef, trackLinks)],
	sends: { to: toRecipient },
	run: async ({ call }, { contentUrl, options, ...mms }) =>
		await call(sendMms, {
			...mms,
			content_urls: [contentUrl],
			message_ref: options.messageRef,
			track_links: options.trackLinks,
		}),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get MMS',
	description: 'Get a sent MMS with its status',
	fields: [messageId, simplify],
	run: async ({ call }, { messageId, simplify }) =>
		simplified('MMS', simplify)(await call(getMms, { id: messageId })),
});

export const mms: Resource = {
	value: 'mms',
	name: 'MMS',
	description: 'Messages with a picture, audio or video file, sent to Australian numbers',
	connection: 'key',
	operations: [send, get],
};
