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

export const sentWithKey = (keyName: string): string | undefined => messageIds.get(keyName);
