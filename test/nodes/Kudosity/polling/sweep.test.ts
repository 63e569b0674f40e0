import { expect, it } from 'vitest';
import { readStatuses, startingAt } from '../../../seams.ts';

const atMs = Date.parse('2026-11-25T09:00:00Z');
const timeOf = (ms: number) => new Date(ms).toISOString();

type Query = { start_date: string; page: number; limit: number };

/** A list of sent messages, a second apart, and how often it is asked. */
const listOf = (count: number, statusOf: (index: number) => string) => {
	const rows = Array.from({ length: count }, (_, index) => ({
		id: `m${index}`,
		sender: '61491570006',
		recipient: '61491573770',
		status: statusOf(index),
		created_at: timeOf(atMs - 40_000_000 + index * 1_000),
		updated_at: timeOf(atMs - 40_000_000 + index * 1_000),
	}));
	const asked: Query[] = [];
	const call = async (_: unknown, query: Query) => {
		asked.push(query);
		const listed = rows.filter((row) => row.created_at >= query.start_date);
		const first = (query.page - 1) * query.limit;
		return listed.slice(first, first + query.limit);
	};
	const reader = {
		service: { call } as never,
		isOver: () => false,
		serviceNowMs: () => atMs,
		senders: [],
		simplify: true,
	};
	return { rows, asked, reader };
};

it('reads ten pages at most, then goes on where it was, and later only where something is open', async () => {
	const { asked, reader } = listOf(25_000, (index) => (index < 24_000 ? 'delivered' : 'sent'));
	const pages: number[] = [];
	let position = startingAt(atMs);
	do {
		const before = asked.length;
		({ position } = await readStatuses(reader, position, 2));
		pages.push(asked.length - before);
	} while (position.sweep);
	expect(pages).toEqual([10, 10, 6]);
	await readStatuses(reader, position, 2);
	expect(asked.slice(26).map(({ page }) => page)).toEqual([1, 2]);
	expect(asked[26]!.start_date).toBe(timeOf(atMs - 40_000_000 + 24_000_000));
});

it('delivers each change once over sweeps that end anywhere, though many messages have one time', async () => {
	const { rows, reader } = listOf(1_700, () => 'sent');
	for (const row of rows.slice(300, 900)) row.created_at = rows[300]!.created_at;
	for (const row of rows) row.updated_at = timeOf(atMs + 1);
	// The service lists one twice.
	rows.splice(100, 0, rows[100]!);
	const seen: unknown[] = [];
	let position = startingAt(atMs);
	for (let count = 0; count < 8; count += 1) {
		const found = await readStatuses(reader, JSON.parse(JSON.stringify(position)), 2);
		seen.push(...found.items.map(({ messageId }) => messageId));
		({ position } = found);
	}
	expect(seen).toHaveLength(1_700);
	expect(new Set(seen)).toHaveProperty('size', 1_700);
});

it('ends, however many messages have one time', async () => {
	const { rows, reader } = listOf(11_500, () => 'delivered');
	for (const row of rows)
		Object.assign(row, { created_at: timeOf(atMs), updated_at: timeOf(atMs) });
	const seen = new Set<unknown>();
	let position = startingAt(atMs);
	for (let polls = 0; polls === 0 || (position.sweep && polls < 30); polls += 1) {
		const found = await readStatuses(reader, position, 2);
		for (const { messageId } of found.items) seen.add(messageId);
		({ position } = found);
	}
	expect([seen.size, position.sweep === undefined]).toEqual([11_500, true]);
});
