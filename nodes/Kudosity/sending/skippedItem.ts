import type { Json } from '../api/json';
import { sentWithKey } from './sentMessages';

/**
 * What an item comes to whose key was used before: its own fields, so that later nodes can still work with
 * them, the reason, and the message that was sent, when this process knows it.
 */
export const skippedItem = (fields: Json = {}, keyName: string): Json => {
	// n8n takes an item with `error` for a failed one, and runs the node again.
	const kept = Object.entries(fields).filter(([name]) => name !== 'error');
	const earlierMessageId = sentWithKey(keyName);
	return {
		...Object.fromEntries(kept),
		skipped: true,
		reason: 'A message with this Send Once Key was sent before, or may have been sent',
		...(earlierMessageId === undefined ? {} : { earlierMessageId }),
	};
};
