import { sendMms } from '../../api/endpoints/mms';
import { options } from '../../fields/collection';
import { field } from '../../fields/field';
import { messageRef, smsText, trackLinks } from '../../fields/message';
import { recipient } from '../../fields/recipient';
import { publicUrl } from '../../fields/readers/address';
import { atMostLong, optional } from '../../fields/readers/text';
import { refuse } from '../../fields/refusal';
import { sender } from '../../fields/sender';
import { defineOperation } from '../../runtime/operation';
import { toRecipient } from '../../sending/message';

const longestSubject = 20;
const longestMessage = 1000;

const contentUrl = field(
	{
		displayName: 'Content URL',
		name: 'contentUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/picture.jpg',
		description:
			'The public https address of the picture, sound or video: one jpg, gif, png, mp3 or mp4 file of at most 400 KB',
		hint: 'One jpg, gif, png, mp3 or mp4 file of at most 400 KB, open to the internet',
	},
	publicUrl,
);

const asciiOnly = (text: string): string =>
	/^[\x20-\x7e]*$/.test(text)
		? text
		: refuse(
				'has characters other than plain letters, digits and signs',
				'Leave out accents, emoji and line breaks',
			);

const subject = field(
	{
		displayName: 'Subject',
		name: 'subject',
		type: 'string',
		default: '',
		placeholder: 'e.g. Your order',
		description: `At most ${longestSubject} characters, without accents and emoji`,
	},
	optional((text) => asciiOnly(atMostLong(longestSubject)(text))),
);

const message = field(
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Hi Sam, your order is ready. Opt out: [opt-out-link]',
		description: `The text beside the file, at most ${longestMessage} characters. [opt-out-link] becomes a link by which the recipient can opt out.`,
	},
	optional((text) => atMostLong(longestMessage)(smsText(text))),
);

/** POST /v2/mms: one file to one recipient for each item. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send MMS',
	description:
		'Send a picture, sound or video, with or without a text, to one recipient in Australia',
	fields: [sender, recipient, contentUrl, subject, message, options(messageRef, trackLinks)],
	sends: { to: toRecipient },
	run: async ({ call }, { contentUrl, options, ...mms }) =>
		await call(sendMms, {
			...mms,
			content_urls: [contentUrl],
			message_ref: options.messageRef,
			track_links: options.trackLinks,
		}),
});
