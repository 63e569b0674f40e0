import { InputError } from '../api/errors';
import { normalizeUnicode } from '../lib/text';
import { resourceLocator, type ShownLocator, switchField } from './collections';
import {
	type Field,
	type InputOf,
	listTextField,
	messageTextField,
	type Read,
	refuse,
	smsTextField,
	textField,
} from './field';
import { maxSenderNameLength, type Recipients } from './phone/phones';
import {
	atMostLong,
	optional,
	phoneNumber,
	phoneNumbers,
	recordId,
	requiredText,
	senderAddress,
} from './readers';

/**
 * The placeholders that the service replaces in a text. v1 has its own opt-out placeholder, and v2 doesn't support
 * tracked links.
 */
export const placeholders = {
	optOutLink: '[opt-out-link]',
	optOutLinkV1: '[unsub-reply-link]',
	trackedLink: '[tracked-link]',
} as const;

const hyphenLike = /[\p{Pd}\u2212\s_]+/gu;
/**
 * Matches other spellings of the opt-out placeholder: “[optout]”, “[unsubscribe-link]”, but not a link in Markdown:
 * “[Unsubscribe](https://…)”.
 */
const otherOptOutLink = /\[-?(?:opt-?out|unsub(?:scribe)?)(?:-?(?:here|link|reply|url))*-?\](?!\()/;
const opening = /[\p{Ps}<]-?/gu;
const closing = /-?[\p{Pe}>]/gu;

/**
 * Accepts the opt-out placeholder of either API. Refuses a placeholder with other characters, e.g. from a word
 * processor, or with another name, because the service wouldn't replace it, so nobody could opt out.
 */
function withOptOutLink(text: string): string {
	const hyphenated = normalizeUnicode(text).toLowerCase().replace(hyphenLike, '-');
	const plain = hyphenated.replace(opening, '[').replace(closing, ']');
	const known = Object.values(placeholders);
	const misspelled = known.find((each) => plain.split(each).length > text.split(each).length);
	const rest = known.reduce((left, each) => left.replaceAll(each, ''), hyphenated);
	const wrong = misspelled ?? (otherOptOutLink.test(rest) ? placeholders.optOutLink : undefined);
	return wrong === undefined
		? text.replaceAll(placeholders.optOutLinkV1, placeholders.optOutLink)
		: refuse(
				`has a misspelled ${wrong}, e.g. with a capital letter, a wrong or missing word, or a dash instead of a hyphen`,
				`Type the placeholder again: ${wrong}`,
			);
}

/** Reads the text of a v2 message. */
export function smsText(text: string): string {
	return text.includes(placeholders.trackedLink)
		? refuse(
				`has ${placeholders.trackedLink}, which only works in Bulk SMS`,
				'Enter the link itself',
			)
		: withOptOutLink(text);
}

const messageField = (read: (text: string) => string) =>
	textField((value) => read(requiredText(value)), {
		displayName: 'Message',
		name: 'message',
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. Hi Sam, your order is ready. Opt out: [opt-out-link]',
		description:
			"[opt-out-link] is replaced with an unsubscribe link. A commercial text from a sender name needs this link, because names can't receive STOP.",
		hint: 'One SMS holds up to 160 characters, or 70 with emoji. You are charged for each SMS.',
	});

export const message = smsTextField(messageField(smsText));

/** The text of a bulk message, which may also contain a tracked link. It follows the field Send To. */
export const bulkMessage = listTextField(
	smsTextField(messageField(withOptOutLink)),
	({ sendTo }) => sendTo === 'list',
);

/** The text of a message that isn't an SMS, e.g. a WhatsApp message. */
export function chatText(read: Read<string>, description: string): Field<'message', string> {
	return messageTextField(
		textField(read, {
			displayName: 'Message',
			name: 'message',
			typeOptions: { rows: 4 },
			required: true,
			placeholder: 'e.g. Hi Sam, your order is ready',
			description,
		}),
	);
}

export const messageRef = textField(optional(atMostLong(500)), {
	displayName: 'Message Reference',
	name: 'messageRef',
	placeholder: 'e.g. order-1234',
	description:
		"Your own ID for the message, up to 500 characters. Events include this ID. If it is set, the node doesn't look for unconfirmed messages.",
});

export const trackLinks = switchField({
	displayName: 'Track Links',
	name: 'trackLinks',
	description:
		'Whether to shorten links in the message and trigger Link Clicked when a recipient opens one',
});

export const messageId = textField(recordId, {
	displayName: 'Message ID',
	name: 'messageId',
	required: true,
	placeholder: 'e.g. 6fdae71c-dad7-4c36-9734-a69693ecf3b4',
	description: 'The ID that was returned when the message was sent',
});

const shown: ShownLocator<string> = {
	displayName: 'Sender',
	name: 'sender',
	noun: 'sender',
	searchListMethod: 'searchSenders',
	placeholder: 'e.g. 61491570110',
	description: `One of your numbers, or a name of up to ${maxSenderNameLength} characters. Names can't get replies or STOP. In Australia, unregistered names show as Unverified.`,
	by: 'Manual',
	isTypedFirst: true,
};

/** The sender of a message, which is typed in or selected from the senders that the credential can list. */
export function senderField<const Name extends string = 'sender'>(
	special: Partial<ShownLocator<Name>> = {},
	read: Read<string> = senderAddress,
): Field<Name, string> {
	return resourceLocator(read, { ...(shown as ShownLocator<Name>), ...special });
}

export const sender = senderField();

export const recipient = textField(phoneNumber, {
	displayName: 'Recipient',
	name: 'recipient',
	required: true,
	placeholder: 'e.g. 61491570006',
	description:
		'Phone number with a country code. If Default Country is set, you can leave out the country code.',
});

export const recipients: Field<'recipients', Recipients> = textField(phoneNumbers, {
	displayName: 'Recipients',
	name: 'recipients',
	required: true,
	placeholder: 'e.g. 61491570006, 61491570156',
	description:
		'Phone numbers separated by commas, or an expression that returns a list. Invalid numbers are skipped and listed in the output.',
});

export function toRecipient({ recipient }: { recipient: string }): { numbers: string[] } {
	return {
		numbers: [recipient],
	};
}

const smsFallbackMessage = textField(optional(smsText), {
	displayName: 'SMS Fallback Message',
	name: 'smsFallbackMessage',
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Hi Sam, your order is ready',
	description:
		"Text to send as an SMS if the message doesn't reach the recipient. The SMS is charged as well.",
});

const smsFallbackSender = textField(optional(senderAddress), {
	displayName: 'SMS Fallback Sender',
	name: 'smsFallbackSender',
	placeholder: 'e.g. 61491570110',
	description: `One of your numbers, or a name of up to ${maxSenderNameLength} characters. Names can't get replies or STOP. In Australia, unregistered names show as Unverified.`,
});

/** An SMS to send if the message isn't delivered. `smsFallbackOf` checks the two fields together. */
export const smsFallback = [smsTextField(smsFallbackMessage), smsFallbackSender] as const;

/**
 * Returns the `sms_fallback` of a request; undefined if there is none. @throws InputError - there is a sender, but no
 * text
 */
export function smsFallbackOf(options: InputOf<typeof smsFallback>) {
	const { smsFallbackMessage: message, smsFallbackSender: sender } = options;
	if (message !== undefined) return { message, sender };
	if (sender === undefined) return undefined;
	throw new InputError(
		"'Options > SMS Fallback Message' is empty",
		"Enter the text of the SMS, or remove 'SMS Fallback Sender'",
	);
}

type Asking = {
	sender: string;
	recipient: string;
	message?: string;
	options: InputOf<typeof smsFallback>;
};

/**
 * Returns the person who is asked, the texts that are sent, and the senders at which the reply can arrive. If the
 * fallback SMS has its own sender, the reply can also arrive there.
 */
export function partiesWithFallback({ sender, recipient, message, options }: Asking) {
	const { smsFallbackMessage: fallback, smsFallbackSender: other } = options;
	const senders = fallback === undefined || other === undefined ? [sender] : [sender, other];
	const sent = [message, fallback].filter((text) => text !== undefined);
	return { contact: recipient, senders, sent };
}
