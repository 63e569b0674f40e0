import { kindOf } from '../events/eventKinds';
import { payloadOf } from '../events/events';
import type { ParsedEvent } from '../events/parseEvent';
import type { ReceivedEvent } from '../events/readEvent';
import { canBeLast } from '../events/statuses';

export type Rules = {
	/** The ids that the service gave our webhooks. Unknown until they are stored: then the token decides alone. */
	webhookIds?: string[];
	/** The subscribed event types. */
	events: string[];
	onlyFinalStatuses?: boolean;
};

type Admission = { kind: 'accepted' } | { kind: 'ignored'; reason: string };

const ignored = (reason: string): Admission => ({ kind: 'ignored', reason });

const isForeign = ({ webhookId }: ReceivedEvent, { webhookIds }: Rules): boolean =>
	webhookIds !== undefined && webhookId !== undefined && !webhookIds.includes(webhookId);

const isOpenStatus = (event: ParsedEvent['event']): boolean => {
	if (!event) return false;
	const payload = payloadOf(event);
	return payload.kind === 'status' && !canBeLast(payload.status.status, event.event_type);
};

/**
 * Whether an event starts the workflow. Pure. Types that nobody knows, and known ones with an unexpected
 * shape, do: the service chose to send them.
 */
export const admitEvent = (received: ReceivedEvent, rules: Rules): Admission => {
	const { body, event } = received;
	if (isForeign(received, rules)) return ignored('the event is for another webhook');
	const eventType = body.event_type;
	const isSubscribed = rules.events.some((subscribed) => subscribed === eventType);
	if (kindOf(eventType) !== undefined && !isSubscribed) {
		return ignored('the event type is not subscribed');
	}
	if (rules.onlyFinalStatuses && isOpenStatus(event)) return ignored('the status is not final');
	return { kind: 'accepted' };
};
