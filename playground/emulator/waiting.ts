import { z } from 'zod/v4';
import { isPathWithin } from './requestMatch.ts';
import type { State } from './state.ts';

export const logNames = ['requests', 'messages', 'inbound', 'deliveries', 'webhooks'] as const;
export type LogName = (typeof logNames)[number];

type Entry = Record<string, unknown>;

export function logEntries(state: State, name: LogName): readonly object[] {
	return name === 'webhooks' ? [...state.webhooks.values()] : state[name].all();
}

/**
 * Compares entries with text, as it stands in a query: `path` means this path and below, `since` is an ISO
 * time, `bodyIncludes` looks into the body or payload, anything else must equal the field of that name.
 */
export function entryMatcher(wanted: Record<string, string>): (entry: object) => boolean {
	const checks = Object.entries(wanted).map(([name, value]) => (entry: Entry) => {
		if (name === 'path') return isPathWithin(String(entry.path), value);
		if (name === 'since') return String(entry.at) >= value;
		if (name === 'bodyIncludes') {
			return (JSON.stringify(entry.payload ?? entry.body) ?? '').includes(value);
		}
		return String(entry[name]) === value;
	});
	return (entry) => checks.every((check) => check(entry as Entry));
}

export const waitQuerySchema = z
	.object({
		for: z.enum(logNames),
		count: z.coerce.number().int().min(0).default(1),
		timeoutMs: z.coerce.number().min(0).max(600_000).default(5000),
	})
	.catchall(z.string());
export type WaitQuery = z.output<typeof waitQuerySchema>;

export interface WaitOutcome {
	reached: boolean;
	found: object[];
}

/** Resolves as soon as so many entries match, counted from the last reset, or when time is up. */
export function waitFor(state: State, query: WaitQuery): Promise<WaitOutcome> {
	const { for: name, count, timeoutMs, ...wanted } = query;
	const matches = entryMatcher(wanted as Record<string, string>);
	const find = () => logEntries(state, name).filter(matches);
	return new Promise((resolve) => {
		const finish = (reached: boolean) => {
			clearTimeout(timer);
			stopListening();
			resolve({ reached, found: find() });
		};
		const timer = setTimeout(() => finish(find().length >= count), timeoutMs);
		const check = () => {
			if (find().length >= count) finish(true);
		};
		const stopListening = state.changes.listen(check);
		check();
	});
}
