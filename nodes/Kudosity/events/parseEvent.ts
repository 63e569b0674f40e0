import type { z } from 'zod/v4';
import { isJson } from '../api/json';
import { channelOf, kindOf, type EventKind } from './eventKinds';
import { eventSchema, toEvent, type KudosityEvent } from './events';

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
const mostIssues = 10;

/** The union of all types says nothing about the one at hand, so that the issue's path is what counts. */
const describe = ({ path, message }: z.core.$ZodIssue): string =>
	path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

const longestShownType = 50;

const unknownType = (eventType: unknown): string =>
	typeof eventType === 'string' && eventType !== ''
		? `event_type: ${eventType.slice(0, longestShownType)} is not a known event type`
		: 'event_type: missing';

type Body = Record<string, unknown>;

const withMessage = (body: Body, change: (message: Body) => Body): Body => ({
	...body,
	mo: change(body.mo as Body),
});

type Dispensable = { path: string[]; without: (body: Body) => Body };

/** What may be odd without costing who did what: it is passed on as it came, or left out. */
const ofLittleWeight: Dispensable[] = [
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
const notOfAnAnswer: Dispensable[] = [
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
const readWithout = (rest: Dispensable[], body: Body): Read => {
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
	const { event, issues } = readWithout(ofLittleWeight, body);
	const readable = event ?? readWithout([...ofLittleWeight, ...notOfAnAnswer], body).event;
	return { kind, event, readable, parseIssues: issues.slice(0, mostIssues).map(describe) };
};
