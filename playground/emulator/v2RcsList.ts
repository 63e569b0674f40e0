import type { Account } from './account.ts';
import type { FaultKind } from './faults.ts';
import { readPeriod } from './rcsPeriod.ts';
import { listedRecord, wrapped } from './rcsRecord.ts';
import { problemRefusal } from './refusal.ts';
import type { OutboundMessage, State } from './state.ts';
import type { ListQuery } from './v2Body.ts';

const DEFAULT_LIMIT = 25;
const LARGEST_LIMIT = 100;

function readLimit(text: unknown): number {
	const limit = text === undefined || text === '' ? DEFAULT_LIMIT : Number(text);
	if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_LIMIT) return limit;
	const message = `limit must be between 1 and ${LARGEST_LIMIT}`;
	throw problemRefusal(400, [{ name: 'limit', message }]);
}

/** A cursor names a message, so new arrivals do not shift the pages. */
const toCursor = (message: OutboundMessage) => Buffer.from(message.id).toString('base64url');

function cursorIndex(messages: OutboundMessage[], cursor: string): number {
	const id = Buffer.from(cursor, 'base64url').toString();
	const index = messages.findIndex((message) => message.id === id);
	if (index >= 0) return index;
	throw problemRefusal(400, [{ name: 'cursor', message: 'cursor is invalid' }]);
}

interface Slice {
	start: number;
	end: number;
}

function readSlice(messages: OutboundMessage[], query: ListQuery): Slice {
	const limit = readLimit(query.limit);
	const cursor = query.cursor ? cursorIndex(messages, String(query.cursor)) : undefined;
	if (cursor === undefined) return { start: 0, end: limit };
	if (query.direction === 'prev') return { start: Math.max(0, cursor - limit), end: cursor };
	return { start: cursor + 1, end: cursor + 1 + limit };
}

/** Newest first. With the repeatCursor fault every page is the first one and names the same next cursor. */
export function listRcsMessages(
	state: State,
	account: Account,
	{ query, fault }: { query: ListQuery; fault?: FaultKind },
) {
	const { fromMs, toMs } = readPeriod(query);
	const isListed = ({ accountId, at }: OutboundMessage) =>
		accountId === account.id && Date.parse(at) >= fromMs && Date.parse(at) <= toMs;
	const messages = state.rcsMessages.filter(isListed).reverse();
	const repeats = fault === 'repeatCursor' || fault === 'repeatPage';
	const { start, end } = readSlice(messages, repeats ? { ...query, cursor: undefined } : query);
	const page = messages.slice(start, end);
	const hasNext = end < messages.length || (repeats && page.length > 0);
	const hasPrevious = start > 0 && page.length > 0;
	const pagination = {
		type: 'cursor',
		next_cursor: hasNext ? toCursor(page.at(-1)!) : null,
		prev_cursor: hasPrevious ? toCursor(page[0]!) : null,
		has_next: hasNext,
		has_prev: hasPrevious,
	};
	return wrapped({ messages: page.map(listedRecord) }, { pagination });
}
