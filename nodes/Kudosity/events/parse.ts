import type { z } from 'zod/v4';
import { isJson, toSafeJson } from '../lib/json';
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
	/** What its type is about. Absent when the type is unknown. */
	kind?: EventKind;
	/** Absent when the event has an unknown type or an unexpected shape. */
	event?: KudosityEvent;
	/** The same, or what can be read of an event of an unexpected shape: enough to tell who answered a question. */
	readable?: KudosityEvent;
	/** What is unexpected about it, for people. */
	parseIssues: string[];
};

/** A body with hundreds of mistakes is described by its first ones. */
const maxIssues = 10;

/** The union of all types says nothing about the one at hand, so that the issue's path is what counts. */
const describe = ({ path, message }: z.core.$ZodIssue): string =>
	path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

const maxShownType = 50;

const unknownType = (eventType: unknown): string =>
	typeof eventType === 'string' && eventType !== ''
		? `event_type: ${eventType.slice(0, maxShownType)} is not a known event type`
		: 'event_type: missing';

type Body = Record<string, unknown>;

const withMessage = (body: Body, change: (message: Body) => Body): Body => ({
	...body,
	mo: change(body.mo as Body),
});

type OptionalPart = { path: string[]; without: (body: Body) => Body };

/** What may be odd without costing who did what: it is passed on as it came, or left out. */
const optionalParts: OptionalPart[] = [
	{
		path: ['opt_out', 'source'],
		without: (body) => ({ ...body, opt_out: { ...(body.opt_out as Body), source: '' } }),
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

/**
 * What an answer to a question may lack as well. `content_type` is not among it, since a reaction must not pass for
 * an answer.
 */
const optionalInReplies: OptionalPart[] = [
	{ path: ['timestamp'], without: (body) => ({ ...body, timestamp: '' }) },
	{
		path: ['mo', 'type'],
		without: (body) =>
			withMessage(body, (message) => ({ ...message, type: channelOf(body.event_type) })),
	},
	{
		path: ['mo', 'content'],
		// What can be read of it still counts, such as the words of a button without its payload.
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

/** Sets aside what is odd until the rest can be read; the schema checks some of it only then. */
const readWithout = (rest: OptionalPart[], body: Body): Read => {
	const { data, error } = eventSchema().safeParse(body);
	if (data) return { event: toEvent(data), issues: [] };
	const { issues } = error;
	const odd = rest.filter(({ path }) => issues.some((issue) => isWithin(path, issue)));
	const isReadable = issues.every((issue) => odd.some(({ path }) => isWithin(path, issue)));
	if (!isReadable) return { issues };
	const counting = odd.reduce((left, { without }) => without(left), body);
	const others = rest.filter((part) => !odd.includes(part));
	const read = readWithout(others, counting);
	return { event: read.event, issues: [...issues, ...read.issues] };
};

/** Checks an event as the service sent it. Never throws. */
export const parseEvent = (body: Record<string, unknown>): ParsedEvent => {
	const kind = kindOf(body.event_type);
	if (kind === undefined) return { parseIssues: [unknownType(body.event_type)] };
	const { event, issues } = readWithout(optionalParts, body);
	const readable = event ?? readWithout([...optionalParts, ...optionalInReplies], body).event;
	return { kind, event, readable, parseIssues: issues.slice(0, maxIssues).map(describe) };
};

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
