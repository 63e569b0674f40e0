import { z } from 'zod/v4';
import { isPathWithin } from '../http/faults.ts';
import { Refusal } from '../http/refusal.ts';
import type { DeliveryEntry, RequestEntry, State, Webhook } from '../state.ts';
import type { InboundMessage, OutboundMessage } from '../model.ts';
import { action } from './action.ts';

/** An entry of the account book. */
interface AcceptedEntry
	extends Pick<
		OutboundMessage,
		'id' | 'api' | 'channel' | 'accountId' | 'sender' | 'text' | 'message_ref' | 'at'
	> {
	recipient: string;
}

function accountBook(state: State): AcceptedEntry[] {
	return state.messages.all().flatMap((message) => {
		const { id, api, channel, accountId, sender, text, message_ref, at } = message;
		const line = { id, api, channel, accountId, sender, text, message_ref, at } as AcceptedEntry;
		return message.recipients.map((recipient) => ({ ...line, recipient }));
	});
}

/** The entry type of each log, and its filters. */
interface Logs {
	requests: {
		entry: RequestEntry;
		/** `path` matches this path and everything below it. */
		wanted: Pick<RequestEntry, 'method' | 'path' | 'status' | 'accountId'> & { fault: string };
	};
	messages: {
		entry: OutboundMessage;
		wanted: Pick<
			OutboundMessage,
			'api' | 'channel' | 'sender' | 'recipient' | 'text' | 'message_ref' | 'status'
		>;
	};
	accepted: {
		entry: AcceptedEntry;
		wanted: Pick<AcceptedEntry, 'channel' | 'recipient' | 'sender' | 'text' | 'message_ref'>;
	};
	inbound: { entry: InboundMessage; wanted: Pick<InboundMessage, 'sender' | 'recipient' | 'text'> };
	deliveries: {
		entry: DeliveryEntry;
		wanted: Pick<DeliveryEntry, 'webhookId' | 'url' | 'eventType' | 'attempt' | 'status' | 'ok'>;
	};
	webhooks: { entry: Webhook; wanted: Pick<Webhook, 'name' | 'url'> };
}
type LogName = keyof Logs;
type EntryOf<Name extends LogName> = Logs[Name]['entry'];

/** `since` is an ISO time. `bodyIncludes` searches the body of a request or delivery. */
type Wanted<Name extends LogName> = Partial<Logs[Name]['wanted']> & {
	since?: string;
	bodyIncludes?: string;
};

interface Waiting {
	/** Default: 1. */
	count?: number;
	/** Default: 5000. */
	timeoutMs?: number;
}

const logNames = ['requests', 'messages', 'accepted', 'inbound', 'deliveries', 'webhooks'] as const;

function logEntries<Name extends LogName>(state: State, name: Name): Array<EntryOf<Name>> {
	const entries =
		name === 'accepted'
			? accountBook(state)
			: name === 'webhooks'
				? [...state.webhooks.values()]
				: state[name as 'requests'].all();
	return entries as Array<EntryOf<Name>>;
}

type Fields = Record<string, unknown>;

/** Matches entries against text values from a query. */
function entryMatcher(wanted: Record<string, string>): (entry: object) => boolean {
	const checks = Object.entries(wanted).map(([name, value]) => (entry: Fields) => {
		if (name === 'path') return isPathWithin(String(entry.path), value);
		if (name === 'since') return String(entry.at) >= value;
		if (name === 'bodyIncludes') {
			return (JSON.stringify(entry.payload ?? entry.body) ?? '').includes(value);
		}
		return String(entry[name]) === value;
	});
	return (entry) => checks.every((check) => check(entry as Fields));
}

const logQuery = z.object({ last: z.coerce.number().int().optional() }).catchall(z.string());

/** The entries of a log, oldest first. */
export const log = <Name extends LogName>(name: Name) =>
	action(`GET /${name}`, {
		takes: (wanted: Wanted<Name> = {}) => wanted,
		input: logQuery,
		run(state, { last, ...wanted }) {
			const entries = logEntries(state, name).filter(
				entryMatcher(wanted as Record<string, string>),
			);
			return last === undefined ? entries : entries.slice(-last);
		},
	});

const waitQuery = z
	.object({
		for: z.enum(logNames),
		count: z.coerce.number().int().min(0).default(1),
		timeoutMs: z.coerce.number().min(0).max(600_000).default(60_000),
	})
	.catchall(z.string());

/** Resolves as soon as `count` entries since the last reset match. Refuses when time is up. */
function waitFor(state: State, query: z.output<typeof waitQuery>): Promise<object[]> {
	const { for: name, count, timeoutMs, ...wanted } = query;
	const matches = entryMatcher(wanted as Record<string, string>);
	return new Promise((resolve, reject) => {
		const check = () => {
			const found = logEntries(state, name).filter(matches);
			const isReached = found.length >= count;
			if (isReached) finish(() => resolve(found));
			return { isReached, found };
		};
		const timer = setTimeout(() => {
			const { isReached, found } = check();
			if (!isReached) finish(() => reject(new Refusal(408, { found })));
		}, timeoutMs);
		const stopListening = state.changes.listen(check);
		const finish = (settle: () => void) => {
			clearTimeout(timer);
			stopListening();
			settle();
		};
		check();
	});
}

/** The matching entries, once there are `count` of them. The client rejects when time is up. */
export const waiter = <Name extends LogName>(name: Name) =>
	action('GET /wait', {
		takes: (wanted: Wanted<Name> = {}, waiting: Waiting = {}) => ({
			...wanted,
			...waiting,
			for: name,
		}),
		input: waitQuery,
		run: (state, query) => waitFor(state, query) as Promise<Array<EntryOf<Name>>>,
	});
