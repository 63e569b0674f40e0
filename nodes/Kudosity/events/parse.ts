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
	/** Undefined if the event type is unknown. */
	kind?: EventKind;
	/** Undefined if the event type is unknown, or the event is malformed. */
	event?: KudosityEvent;
	parseIssues: string[];
};

/** The maximum number of issues that are described, because a malformed body can have hundreds. */
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
 * The parts that an event can do without, because the rest still says who did what. If one is malformed, it is replaced
 * with the result of `none`. The content of a message isn't listed, because replacing it would lose the person's words.
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

/** Reads an event. Malformed optional parts are replaced with their substitutes. */
function readParts(body: Json): Read {
	const { data, error } = eventSchema().safeParse(body);
	if (data) return { event: toEvent(data), issues: [] };
	const { issues } = error;
	const odd = optionalParts.filter((part) => issues.some((issue) => isWithin(issue, part)));
	if (!issues.every((issue) => odd.some((part) => isWithin(issue, part)))) return { issues };
	const rest = odd.reduce((left, { path, none }) => withValueAt(left, path, none(body)), body);
	// A message's content is only checked once all other parts are valid, so the second pass can find new issues.
	const again = eventSchema().safeParse(rest);
	if (again.error) return { issues: [...issues, ...again.error.issues] };
	return { event: toEvent(again.data), issues };
}

/** Parses an event from the service. Never throws. */
export function parseEvent(body: Json): ParsedEvent {
	const kind = kindOf(body.event_type);
	if (kind === undefined) return { parseIssues: [unknownType(body.event_type)] };
	const { event, issues } = readParts(body);
	return { kind, event, parseIssues: issues.slice(0, maxIssues).map(describe) };
}

export type ReceivedEvent = ParsedEvent & {
	/** The event as the service sent it, made safe to pass on (see `toSafeJson`). */
	body: Json;
};

/** Reads an event from an untrusted body. Returns undefined if the body isn't an event. Never throws. */
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
