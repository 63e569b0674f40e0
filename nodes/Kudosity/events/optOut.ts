import { omitUndefined, type Json } from '../lib/json';
import type { ReceivedEvent } from './parse';
import { optOutIn, optOutKeywords } from './replyText';
import { isReaction } from './reaction';
import {
	hasUnknownContent,
	type InboundMessage,
	kindOf,
	type KudosityEvent,
	type QuotedMessage,
	replyText,
} from './schema';
import { orAbsent, simplifyEvent } from './simplify';

type How = 'link' | 'stop' | 'keyword' | 'words';

export type OptOut = {
	/** Undefined where the event can't be read: it may be an opt-out, and a person has to look at it. */
	record?: Json;
	/** What a person wrote that an open question may have asked for. */
	answer?: string;
	/** Why the words can't be read, beside the event's own `parseIssues`. */
	issues?: string[];
};

/** The longest phone number, of 15 digits, down to short codes. Names and WhatsApp's user IDs can't be sent to. */
const phoneNumber = /^\d{3,15}$/;

/** `about`: the message to the person that was clicked or answered, or the latest one. */
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

/** How Kudosity itself says that somebody opted out: by a link, or by a message. */
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

/** The opt-out in an event of Kudosity, or in a message that says so. Undefined for anything else. */
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
