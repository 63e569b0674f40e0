import type { z } from 'zod/v4';
import { isJson, type Json, toSafeJson, withValueAt } from '../lib/json';
import {
	channelOf,
	type EventKind,
	eventSchema,
	kindOf,
	type KudosityEvent,
	toEvent,
} from './schema';

export type ParsedEvent = {
	/** Undefined if the type is unknown. */
	kind?: EventKind;
	/** Undefined if the type is unknown, or the shape is unexpected. */
	event?: KudosityEvent;
	parseIssues: string[];
};

/** The most issues that are described, because a body can have hundreds of mistakes. */
const maxIssues = 10;

function describe({ path, message }: z.core.$ZodIssue): string {
	return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}

const maxShownType = 50;

function unknownType(eventType: unknown): string {
	return typeof eventType === 'string' && eventType !== ''
		? `event_type: ${eventType.slice(0, maxShownType)} is not a known event type`
		: 'event_type: missing';
}

type OptionalPart = { path: string[]; none: (body: Json) => unknown };

/**
 * Parts without which an event still says who did what, each with the value that stands for a missing one. The content
 * of a message is not among them, because a message would be lost if its words were left out.
 */
const optionalParts: OptionalPart[] = [
	{ path: ['timestamp'], none: () => '' },
	{ path: ['opt_out', 'source'], none: () => '' },
	{ path: ['mo', 'last_message'], none: () => null },
	{ path: ['mo', 'type'], none: (body) => channelOf(body.event_type) },
];

function isWithin({ path }: z.core.$ZodIssue, part: OptionalPart): boolean {
	return part.path.every((key, index) => path[index] === key);
}

type Read = { event?: KudosityEvent; issues: z.core.$ZodIssue[] };

/** Leaves out the optional parts that cannot be read. */
function readParts(body: Json): Read {
	const { data, error } = eventSchema().safeParse(body);
	if (data) return { event: toEvent(data), issues: [] };
	const { issues } = error;
	const odd = optionalParts.filter((part) => issues.some((issue) => isWithin(issue, part)));
	if (!issues.every((issue) => odd.some((part) => isWithin(issue, part)))) return { issues };
	const rest = odd.reduce((left, { path, none }) => withValueAt(left, path, none(body)), body);
	// The content of a message is only checked once everything else can be read.
	const again = eventSchema().safeParse(rest);
	if (again.error) return { issues: [...issues, ...again.error.issues] };
	return { event: toEvent(again.data), issues };
}

/** Parses an event as sent by the service. Never throws. */
export function parseEvent(body: Json): ParsedEvent {
	const kind = kindOf(body.event_type);
	if (kind === undefined) return { parseIssues: [unknownType(body.event_type)] };
	const { event, issues } = readParts(body);
	return { kind, event, parseIssues: issues.slice(0, maxIssues).map(describe) };
}

export type ReceivedEvent = ParsedEvent & {
	/** The event as it was sent, safe to pass on. */
	body: Json;
};

/** Reads an event from an untrusted body. Undefined if it is not an event. Never throws. */
export function readEvent(body: unknown): ReceivedEvent | undefined {
	if (!isJson(body) || Object.keys(body).length === 0) return undefined;
	const { value, issues } = toSafeJson(body);
	const { kind, event, parseIssues } = parseEvent(value);
	return {
		body: value,
		kind,
		event,
		parseIssues: [...issues, ...parseIssues],
	};
}
