import type { QuotedMessage } from '../events/events.ts';
import type { State } from '../state.ts';
import type { OutboundMessage } from './model.ts';

export const routing = (state: State, message: OutboundMessage) =>
	message.channel === 'SMS' && state.settings.routedVia
		? { routed_via: state.settings.routedVia }
		: {};

export const references = ({ message_ref, campaign_id }: OutboundMessage) => ({
	...(message_ref !== undefined && { message_ref }),
	...(campaign_id !== undefined && { campaign_id }),
});

/** The message as events quote it, seen from one of its recipients. */
export const quote = (
	state: State,
	message: OutboundMessage,
	recipient: string,
): QuotedMessage => ({
	type: message.channel,
	id: message.id,
	message: message.sentText,
	recipient,
	sender: message.sender,
	...references(message),
	...(message.subject && { subject: message.subject }),
	...(message.content_urls && { content_urls: message.content_urls }),
	...routing(state, message),
});
