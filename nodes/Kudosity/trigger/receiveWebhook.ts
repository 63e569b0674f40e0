import { payloadOf } from './events';
import { isKnownEventType, parseEvent, type ParsedEvent } from './parseEvent';
import { toSafeJson } from './safeJson';
import { describeStatus } from './statuses';
import { isExpectedToken } from './token';

export type Delivery = {
	/** From the query: a text, a list, or nothing. */
	token: unknown;
	/** Digests of the tokens that are good. */
	expectedDigests: string[];
	/** Anything at all: it is whoever knows the URL that sends it. */
	body: unknown;
	/** The id that the service gave our webhook. Unknown until it is stored: then the token decides alone. */
	registeredId?: string;
	/** The subscribed event types. */
	events: string[];
	onlyFinalStatuses?: boolean;
};

export type Accepted = ParsedEvent & {
	kind: 'accepted';
	/** The event as it was sent, safe to pass on. */
	body: Record<string, unknown>;
};

export type Reception =
	| Accepted
	| { kind: 'ignored'; reason: string }
	| { kind: 'rejected'; status: 400 | 401; reason: string };

const isEmpty = (body: object): boolean => Object.keys(body).length === 0;

const isObject = (body: unknown): body is Record<string, unknown> =>
	typeof body === 'object' && body !== null && !Array.isArray(body);

/** The webhook that an event says it comes from. Events of before June 2025 name none. */
export const senderIdOf = (body: unknown): string | undefined => {
	const { webhook_id: id } = (body ?? {}) as { webhook_id?: unknown };
	return typeof id === 'string' && id !== '' ? id : undefined;
};

const isForeign = (body: Record<string, unknown>, registeredId?: string): boolean => {
	const senderId = senderIdOf(body);
	return registeredId !== undefined && senderId !== undefined && senderId !== registeredId;
};

/** For an MMS the service documents SENT and FAILED alone, so that SENT can be the last one. */
const isOpenStatus = (event: ParsedEvent['event']): boolean => {
	const payload = event && payloadOf(event);
	if (payload?.kind !== 'status') return false;
	const { status, isOpen } = describeStatus(payload.status.status);
	return isOpen && !(event?.event_type === 'MMS_STATUS' && status === 'SENT');
};

/**
 * Decides what becomes of a delivery. Pure, and never throws, whatever comes in.
 *
 * `rejected`: the sender does not know the token, or sent no event. `ignored`: not for this workflow.
 * `accepted`: everything else, also types that nobody knows and known ones with an unexpected shape, since
 * the service chose to send them.
 */
export const receiveWebhook = (delivery: Delivery): Reception => {
	const { token, expectedDigests, body, registeredId, events, onlyFinalStatuses } = delivery;
	if (!isExpectedToken(token, expectedDigests)) {
		return { kind: 'rejected', status: 401, reason: 'the token is missing or wrong' };
	}
	if (!isObject(body) || isEmpty(body)) {
		return { kind: 'rejected', status: 400, reason: 'the body is no JSON object' };
	}
	if (isForeign(body, registeredId)) {
		return { kind: 'ignored', reason: 'the event is for another webhook' };
	}
	const eventType = body.event_type;
	if (isKnownEventType(eventType) && !events.some((subscribed) => subscribed === eventType)) {
		return { kind: 'ignored', reason: 'the event type is not subscribed' };
	}
	const safe = toSafeJson(body);
	const { event, parseIssues } = parseEvent(safe.value);
	if (onlyFinalStatuses && isOpenStatus(event)) {
		return { kind: 'ignored', reason: 'the status is not final' };
	}
	return {
		kind: 'accepted',
		body: safe.value,
		event,
		parseIssues: [...safe.issues, ...parseIssues],
	};
};
