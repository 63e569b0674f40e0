import { omitUndefined, type Json } from '../lib/json';
import { readEvent, type ReceivedEvent } from './parse';
import { optOutIn, optOutKeywords } from './optOutText';
import { isReaction } from './reaction';
import {
	hasUnknownContent,
	type InboundMessage,
	kindOf,
	type KudosityEvent,
	type QuotedMessage,
	replyText,
} from './schema';
import { orAbsent, simplifyEvent, simplifyMessage } from './simplify';

type How = 'link' | 'stop' | 'keyword' | 'words';

export type OptOut = {
	/**
	 * The opt-out as an output record. Undefined if the event can't be read. An unreadable event is output unchanged,
	 * because it may be an opt-out, so somebody has to check it.
	 */
	record?: Json;
	/** The text of the message, which may be the answer to an open question. */
	answer?: string;
	/** Why the text can't be read, in addition to the event's own `parseIssues`. */
	issues?: string[];
};

/**
 * Matches a number that messages can be sent to: at most 15 digits, as in a phone number, and at least three, as in a
 * short code. Doesn't match names or WhatsApp's user IDs.
 */
const phoneNumber = /^\d{3,15}$/;

/**
 * The details of an opt-out. `about` is the message that the person answered, or whose link they opened. If a reply
 * doesn't say which message it answers, `about` is the latest message to the person.
 */
type Said = { how?: How; text?: string; about?: QuotedMessage | null };

function recordOf(event: KudosityEvent, { how, text, about }: Said): Json {
	const { contact, channel, timestamp } = simplifyEvent(event);
	return omitUndefined({
		eventType: 'OPT_OUT',
		contact: phoneNumber.test(String(contact)) ? contact : undefined,
		how,
		channel,
		text: orAbsent(text),
		messageId: about?.id,
		messageRef: orAbsent(about?.message_ref),
		timestamp,
	});
}

/**
 * Returns how a person opted out according to Kudosity: with a link, or with a message. Returns undefined for any other
 * source.
 */
function howOf(source: string): How | undefined {
	const kind = kindOf(source);
	if (kind === 'linkHit') return 'link';
	return kind === 'inbound' ? 'stop' : undefined;
}

const maxShownType = 50;

function readMessage(
	event: KudosityEvent,
	message: InboundMessage,
	keywords: readonly string[],
): OptOut | undefined {
	if (isReaction(message)) return undefined;
	const text = replyText(message);
	const { content_type: type, last_message: last } = message;
	if (text === '' && hasUnknownContent(message)) {
		const issue = type
			? `${type.slice(0, maxShownType)} is not a known kind of content`
			: 'missing';
		return { issues: [`mo.content_type: ${issue}`] };
	}
	const how = optOutIn(text, keywords);
	if (how === undefined) return undefined;
	const record = recordOf(event, { how, text, about: last });
	return { record, answer: text };
}

/**
 * Reads the opt-out from an opt-out event, or from a message that asks to opt out. Returns an object without a `record`
 * if the event, or the content of the message, can't be read. Returns undefined if the event isn't an opt-out.
 */
export function readOptOut(
	{ event }: ReceivedEvent,
	keywords: readonly string[] = optOutKeywords,
): OptOut | undefined {
	const payload = event?.payload;
	switch (payload?.kind) {
		case 'optOut': {
			const { source, source_message: sent } = payload.optOut;
			return { record: recordOf(event!, { how: howOf(source), about: sent }) };
		}
		case 'inbound':
			return readMessage(event!, payload.inbound, keywords);
		case undefined:
			return {};
		default:
			return undefined;
	}
}

/**
 * Returns the number of the person who opts out in an item of this package's triggers. The item is a simplified event,
 * an event as Kudosity sent it, or, from the polling trigger, a message as Kudosity lists it.
 */
export function whoOptedOut(item: Json): unknown {
	const event = readEvent(item);
	const record = event && readOptOut(event)?.record;
	if (record) return record.contact;
	const isListed = 'direction' in item;
	const { eventType, optOut, contact } = isListed ? simplifyMessage('SMS', item) : item;
	return optOut !== undefined || eventType === 'OPT_OUT' ? contact : undefined;
}
