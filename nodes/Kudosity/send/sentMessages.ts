import { lruMap } from '../lib/async';
import type { Json } from '../lib/json';
import { messageIdOf } from './sendRecord';

/**
 * The IDs of the newest 10,000 messages that this process sent with a Deduplication Key or Campaign Name. Keyed by
 * `KeyStore.nameOf`, and lost when n8n restarts.
 */
const messageIds = lruMap<string>(10_000);

/** `keyName` is unique across workflows. */
export function rememberMessage(keyName: string, answer: Json): void {
	const id = messageIdOf(answer);
	if (id !== undefined) messageIds.set(keyName, id);
}

export function messageOf(keyName: string): string | undefined {
	return messageIds.get(keyName);
}
