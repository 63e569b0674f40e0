import type { z } from 'zod/v4';
import { isJson, type Json, toSafeJson } from '../lib/json';
import {
	channelOf,
	type EventKind,
	eventSchema,
	kindOf,
	type KudosityEvent,
	toEvent,
	webhookIdOf,
} from './schema';

export type ParsedEvent = {
	/** Absent when the type is unknown. */
	kind?: EventKind;
	/** Absent when the type is unknown or the shape unexpected. */
	event?: KudosityEvent;
	/** `event`, or what is readable of an event of unexpected shape: enough to tell who answered a question. */
	readable?: KudosityEvent;
	parseIssues: string[];
};

/** Enough to describe a body with hundreds of mistakes. */
const maxIssues = 10;

const describe = ({ path, message }: z.core.$ZodIssue): string =>
	path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

const maxShownType = 50;

const unknownType = (eventType: unknown): string =>
	typeof eventType === 'string' && eventType !== ''
		? `event_type: ${eventType.slice(0, maxShownType)} is not a known event type`
		: 'event_type: missing';

const withMessage = (body: Json, change: (message: Json) => Json): Json => ({
	...body,
	mo: change(body.mo as Json),
});

type OptionalPart = { path: string[]; without: (body: Json) => Json };

/** Parts that may be malformed without hiding who did what. They are passed on unchecked or dropped. */
const optionalParts: OptionalPart[] = [
	{
		path: ['opt_out', 'source'],
		without: (body) => ({ ...body, opt_out: { ...(body.opt_out as Json), source: '' } }),
	},
	{
		path: ['mo', 'last_message'],
		without: (body) =>
			withMessage(body, ({ last_message: unreadQuote, ...message }) => ({
				...message,
				unreadQuote,
			})),
	},
];

/** More such parts in an answer to a question. `content_type` is required: a reaction must not pass for an answer. */
const optionalInReplies: OptionalPart[] = [
	{ path: ['timestamp'], without: (body) => ({ ...body, timestamp: '' }) },
	{
		path: ['mo', 'type'],
		without: (body) =>
			withMessage(body, (message) => ({ ...message, type: channelOf(body.event_type) })),
	},
	{
		path: ['mo', 'content'],
		// Readable parts still count, such as the text of a button without its payload.
		without: (body) =>
			withMessage(body, ({ content = null, ...message }) => ({
				...message,
				content: isJson(content) ? content : null,
				unreadContent: content,
			})),
	},
];

const isWithin = (place: string[], { path }: z.core.$ZodIssue): boolean =>
	place.every((key, index) => path[index] === key);

type Read = { event?: KudosityEvent; issues: z.core.$ZodIssue[] };

/** Sets malformed parts aside until the rest parses. Recursive, since some checks run only once others pass. */
const readWithout = (rest: OptionalPart[], body: Json): Read => {
	const { data, error } = eventSchema().safeParse(body);
	if (data) return { event: toEvent(data), issues: [] };
	const { issues } = error;
	const odd = rest.filter(({ path }) => issues.some((issue) => isWithin(path, issue)));
	if (!issues.every((issue) => odd.some(({ path }) => isWithin(path, issue)))) return { issues };
	const counting = odd.reduce((left, { without }) => without(left), body);
	const others = rest.filter((part) => !odd.includes(part));
	const read = readWithout(others, counting);
	return { event: read.event, issues: [...issues, ...read.issues] };
};

/** Parses an event as sent by the service. Never throws. */
export const parseEvent = (body: Json): ParsedEvent => {
	const kind = kindOf(body.event_type);
	if (kind === undefined) return { parseIssues: [unknownType(body.event_type)] };
	const { event, issues } = readWithout(optionalParts, body);
	const readable = event ?? readWithout([...optionalParts, ...optionalInReplies], body).event;
	return { kind, event, readable, parseIssues: issues.slice(0, maxIssues).map(describe) };
};

export type ReceivedEvent = ParsedEvent & {
	/** The event as it was sent, safe to pass on. */
	body: Json;
	/** The webhook that the event names as its source. Events from before June 2025 name none. */
	webhookId?: string;
};

/** Reads an event from an untrusted body. Undefined when it is not an event; never throws. */
export const readEvent = (body: unknown): ReceivedEvent | undefined => {
	if (!isJson(body) || Object.keys(body).length === 0) return undefined;
	const { value, issues } = toSafeJson(body);
	const { kind, event, readable, parseIssues } = parseEvent(value);
	return {
		body: value,
		kind,
		event,
		readable,
		parseIssues: [...issues, ...parseIssues],
		webhookId: webhookIdOf(value.webhook_id),
	};
};
