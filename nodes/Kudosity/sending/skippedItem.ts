import type { Json } from '../api/json';
import { newestMap } from '../api/newestMap';

const mostMessages = 10_000;

/** The messages sent with a key by this process: others, and former ones, are not known here. */
const messageIds = newestMap<string>(mostMessages);

/** The service's two APIs name the ID of a message differently. */
export const idOf = ({ id, message_id: messageId }: Json): unknown => id ?? messageId;

/** Remembers which message was sent with the key of this name, the newest 10,000 of them. */
export const rememberSent = (keyName: string, answer: Json): void => {
	const id = idOf(answer);
	if (typeof id === 'string') messageIds.set(keyName, id);
};

/**
 * What an item comes to whose key was used before: its own fields, so that later nodes can still work with
 * them, the reason, and the message that was sent, when this process knows it.
 */
export const skippedItem = (fields: Json = {}, keyName: string): Json => {
	// n8n takes an item with `error` for a failed one, and runs the node again.
	const kept = Object.entries(fields).filter(([name]) => name !== 'error');
	const earlierMessageId = messageIds.get(keyName);
	return {
		...Object.fromEntries(kept),
		skipped: true,
		reason: 'A message with this Send Once Key was sent before, or may have been sent',
		...(earlierMessageId === undefined ? {} : { earlierMessageId }),
	};
};
