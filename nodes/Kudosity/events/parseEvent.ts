import type { z } from 'zod/v4';
import { kindOf, type EventKind } from './eventKinds';
import { eventSchema, toEvent, type KudosityEvent } from './events';

export type ParsedEvent = {
	/** What its type is about. Absent when the type is unknown. */
	kind?: EventKind;
	/** Absent when the event has an unknown type or an unexpected shape. */
	event?: KudosityEvent;
	/** What is unexpected about it, for people. */
	parseIssues: string[];
};

/** A body with hundreds of mistakes is described by its first ones. */
const mostIssues = 10;

/** The union of all types says nothing about the one at hand, so that the issue's path is what counts. */
const describe = ({ path, message }: z.core.$ZodIssue): string =>
	path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

const longestShownType = 50;

const unknownType = (eventType: unknown): string =>
	typeof eventType === 'string' && eventType !== ''
		? `event_type: ${eventType.slice(0, longestShownType)} is not a known event type`
		: 'event_type: missing';

const isAboutQuote = ({ path }: z.core.$ZodIssue): boolean =>
	path[0] === 'mo' && path[1] === 'last_message';

/** What somebody wrote counts without the message that it answers, which is passed on as it came. */
const withUnreadQuote = ({ mo, ...body }: Record<string, unknown>) => {
	const { last_message: unreadQuote, ...message } = mo as Record<string, unknown>;
	return { ...body, mo: { ...message, unreadQuote } };
};

const isAboutSource = ({ path }: z.core.$ZodIssue): boolean =>
	path[0] === 'opt_out' && path[1] === 'source';

/** Who opted out counts, in whichever way they did. */
const withoutSource = (body: Record<string, unknown>) => ({
	...body,
	opt_out: { ...(body.opt_out as object), source: '' },
});

/** What counts of an event, where the rest of it is odd. */
const readable = (body: Record<string, unknown>, issues: z.core.$ZodIssue[]) => {
	if (issues.every(isAboutQuote)) return withUnreadQuote(body);
	return issues.every(isAboutSource) ? withoutSource(body) : undefined;
};

/** Checks an event as the service sent it. Never throws. */
export const parseEvent = (body: Record<string, unknown>): ParsedEvent => {
	const kind = kindOf(body.event_type);
	if (kind === undefined) return { parseIssues: [unknownType(body.event_type)] };
	const { data, error } = eventSchema().safeParse(body);
	if (data) return { kind, event: toEvent(data), parseIssues: [] };
	const { issues } = error;
	const parseIssues = issues.slice(0, mostIssues).map(describe);
	const counting = readable(body, issues);
	const rest = counting && eventSchema().safeParse(counting).data;
	return { kind, event: rest && toEvent(rest), parseIssues };
};
