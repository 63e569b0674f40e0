import { isJson } from '../api/json';
import { parseEvent, type ParsedEvent } from './parseEvent';
import { toSafeJson } from './safeJson';
import { webhookIdOf } from './webhookId';

export type ReceivedEvent = ParsedEvent & {
	/** The event as it was sent, safe to pass on. */
	body: Record<string, unknown>;
	/** Of the webhook that it says it comes from. Events of before June 2025 name none. */
	webhookId?: string;
};

const isEmpty = (body: object): boolean => Object.keys(body).length === 0;

/** An event from anything that anybody may send. Undefined when it is none; never throws. */
export const readEvent = (body: unknown): ReceivedEvent | undefined => {
	if (!isJson(body) || isEmpty(body)) return undefined;
	const safe = toSafeJson(body);
	const { kind, event, readable, parseIssues } = parseEvent(safe.value);
	return {
		body: safe.value,
		kind,
		event,
		readable,
		parseIssues: [...safe.issues, ...parseIssues],
		webhookId: webhookIdOf(safe.value.webhook_id),
	};
};
