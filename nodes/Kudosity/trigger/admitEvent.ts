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

const isOpenStatus = ({ event }: ReceivedEvent): boolean =>
	event?.payload.kind === 'status' && !canBeLast(event.payload.status.status, event.event_type);

/**
 * Whether an event starts the workflow. Pure. Types that nobody knows, and known ones with an unexpected
 * shape, do: the service chose to send them.
 */
export const admitEvent = (received: ReceivedEvent, rules: Rules): Admission => {
	if (isForeign(received, rules)) return ignored('the event is for another webhook');
	const { kind, body } = received;
	const isSubscribed = rules.events.some((subscribed) => subscribed === body.event_type);
	if (kind !== undefined && !isSubscribed) return ignored('the event type is not subscribed');
	if (rules.onlyFinalStatuses && isOpenStatus(received)) return ignored('the status is not final');
	return { kind: 'accepted' };
};
