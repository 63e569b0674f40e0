import { randomUUID } from 'node:crypto';
import { messageFrom } from './acceptance.ts';
import type { Account } from './account.ts';
import { contacts, RCS_AGENT } from './catalogue.ts';
import type { FaultKind } from './faults.ts';
import { acceptMessage } from './lifecycle.ts';
import { normaliseNumber } from './phoneNumber.ts';
import { problemRefusal } from './refusal.ts';
import { hasOptedOut, type OutboundMessage, type State } from './state.ts';
import { wholeSeconds } from './timestamps.ts';
import { fieldsOf, validate, type Fields } from './v2Body.ts';
import { readMessageRef, type ListQuery } from './v2Sms.ts';

const MAX_TEXT_LENGTH = 3072;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const seededStatuses = ['READ', 'DELIVERED', 'FAILED', 'SENT', 'QUEUED'] as const;
const seededHistory: Record<string, string[]> = {
	READ: ['SENT', 'DELIVERED', 'READ'],
	DELIVERED: ['SENT', 'DELIVERED'],
	FAILED: ['SENT', 'FAILED'],
	SENT: ['SENT'],
	QUEUED: [],
};

const seededId = (number: number) => `5eeded00-0000-4000-8000-${String(number).padStart(12, '0')}`;

function seededMessage(accountId: string, number: number, at: Date): OutboundMessage {
	const status = seededStatuses[number % seededStatuses.length]!;
	const text = `Reminder ${number}: your appointment is tomorrow`;
	const stepAt = (step: number) => new Date(at.getTime() + (step + 1) * 20_000).toISOString();
	return {
		...messageFrom({
			id: seededId(number),
			api: 'v2',
			channel: 'RCS',
			accountId,
			sender: RCS_AGENT,
			recipients: [contacts[number % contacts.length]!],
			text,
			sentText: text,
			messageRef: number % 2 === 0 ? `reminder-${number}` : undefined,
			trackLinks: false,
			status,
		}),
		at: at.toISOString(),
		history: (seededHistory[status] ?? []).map((step, index) => ({
			status: step,
			at: stepAt(index),
		})),
	};
}

/** Messages of the first account that exist from the start, one an hour, number 1 the oldest. */
export function seedRcsMessages(state: State): void {
	const { rcsMessages: count, accounts } = state.settings;
	const accountId = accounts[0]?.id ?? '';
	const nowMs = Date.now();
	state.rcsMessages = Array.from({ length: count }, (_, index) =>
		seededMessage(accountId, index + 1, new Date(nowMs - (count - index) * HOUR_MS)),
	);
	for (const message of state.rcsMessages) state.messagesById.set(message.id, message);
}

/** Polling knows fewer statuses than events: refusals and expiry all read FAILED. */
const polled = (status: string) =>
	['REJECTED', 'UNDELIVERABLE', 'EXPIRED', 'OTHER'].includes(status) ? 'FAILED' : status;

const sentRecord = (message: OutboundMessage) => ({
	id: message.id,
	...(message.message_ref !== undefined && { message_ref: message.message_ref }),
	sender: message.sender,
	recipient: message.recipient,
	content_type: 'text',
	content: { text: { message: message.text } },
	created_at: wholeSeconds(new Date(message.at)),
});

const listedRecord = (message: OutboundMessage) => ({
	...sentRecord(message),
	status: polled(message.status),
});

const details: Record<string, string> = {
	SENT: 'Message handed to the carrier',
	DELIVERED: 'Message delivered to the device',
	READ: 'Message read by the recipient',
	FAILED: 'Message could not be delivered',
};

const wrapped = (data: object, meta: object = {}) => ({ data, request: {}, meta });

export function getRcsMessage(state: State, account: Account, id: string) {
	const message = state.messagesById.get(id);
	if (message?.channel !== 'RCS' || message.accountId !== account.id) throw problemRefusal(404);
	const events = message.history.map((step) => ({
		event_type: polled(step.status),
		created_at: wholeSeconds(new Date(step.at)),
		details: details[polled(step.status)] ?? '',
	}));
	return wrapped({
		...listedRecord(message),
		account_id: account.id,
		...(events.length > 0 && { events }),
	});
}

export function sendRcsMessage(state: State, account: Account, fields: Fields) {
	const validation = validate(fields);
	const { issues } = validation;
	const sender = validation.requiredText('sender');
	const recipient = validation.requiredText('recipient');
	const contact = normaliseNumber(recipient);
	if (recipient && !contact) issues.push({ name: 'recipient', message: 'recipient is invalid' });
	if (contact && hasOptedOut(state, account.id, contact)) {
		issues.push({ name: 'recipient', message: 'recipient has opted out' });
	}
	if (fields.content_type !== 'text') {
		issues.push({ name: 'content_type', message: 'content_type must be one of: text' });
	}
	const text = fieldsOf(fieldsOf(fields.content).text).message;
	const isText = typeof text === 'string' && text.length > 0 && text.length <= MAX_TEXT_LENGTH;
	if (!isText) issues.push({ name: 'content', message: 'content.text.message is required' });
	const messageRef = readMessageRef(fields, validation);
	validation.refuseIfAny();

	const message = messageFrom({
		id: randomUUID(),
		api: 'v2',
		channel: 'RCS',
		accountId: account.id,
		sender,
		recipients: [contact ?? ''],
		text: String(text),
		sentText: String(text),
		messageRef,
		trackLinks: false,
		status: 'QUEUED',
	});
	acceptMessage(state, message);
	return wrapped(sentRecord(message));
}

interface Period {
	fromMs: number;
	toMs: number;
}

function customPeriod({ start_date: start, end_date: end }: ListQuery): Period {
	const fromMs = Date.parse(String(start));
	const toMs = Date.parse(String(end));
	const name = Number.isNaN(fromMs) ? 'start_date' : 'end_date';
	if (Number.isNaN(fromMs + toMs)) {
		throw problemRefusal(400, [{ name, message: `${name} is required for custom_date` }]);
	}
	if (toMs < fromMs || toMs - fromMs > 90 * DAY_MS) {
		const message = 'end_date must be at most 90 days after start_date';
		throw problemRefusal(400, [{ name: 'end_date', message }]);
	}
	return { fromMs, toMs };
}

/** The account's time zone is UTC here. */
function lastMonth(now: Date): Period {
	const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
	return { fromMs: Date.UTC(year, month - 1), toMs: Date.UTC(year, month) - 1 };
}

function readPeriod(query: ListQuery): Period {
	const now = new Date();
	const back = (days: number) => ({ fromMs: now.getTime() - days * DAY_MS, toMs: now.getTime() });
	switch (query.date_range ?? 'all') {
		case 'last_week':
			return back(7);
		case 'last_thirty':
			return back(30);
		case 'last_month':
			return lastMonth(now);
		case 'all':
			return back(365);
		case 'custom_date':
			return customPeriod(query);
		default: {
			const message =
				'date_range must be one of: last_week, last_thirty, last_month, all, custom_date';
			throw problemRefusal(400, [{ name: 'date_range', message }]);
		}
	}
}

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
	const messages = state.rcsMessages
		.filter(({ accountId, at }) => accountId === account.id && isWithin(Date.parse(at)))
		.reverse();
	function isWithin(atMs: number) {
		return atMs >= fromMs && atMs <= toMs;
	}
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
