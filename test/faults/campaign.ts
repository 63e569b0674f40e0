import { seed } from '../helpers/seed.ts';

const minuteMs = 60_000;
const sizes = {
	short: { sends: 1_000, events: 500, questions: 60, polled: 1_000, timeoutMs: 10 * minuteMs },
	long: {
		sends: 20_000,
		events: 5_000,
		questions: 500,
		polled: 10_000,
		timeoutMs: 90 * minuteMs,
	},
};

/** `KUDOSITY_SEED=7 npm run test:faults` replays a campaign, `KUDOSITY_FAULTS=long` makes a long one. */
export const campaign = {
	seed,
	...(process.env.KUDOSITY_FAULTS === 'long' ? sizes.long : sizes.short),
};

export type Random = {
	/** A number from 0 to 1. */
	next(): number;
	/** A whole number, both bounds included. */
	integer(min: number, max: number): number;
	chance(probability: number): boolean;
	pick<Value>(values: readonly Value[]): Value;
};

/** Numbers that look random and are the same for the same seed (mulberry32). */
export const createRandom = (seed: number): Random => {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
	return {
		next,
		integer,
		chance: (probability) => next() < probability,
		pick: (values) => values[integer(0, values.length - 1)]!,
	};
};

export type Row = Record<string, string | number>;

/** Rows as a table that a log shows well. */
export const formatTable = (title: string, rows: Row[]): string => {
	const columns = Object.keys(rows[0] ?? {});
	const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
	const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
	const lines = cells.map((row) =>
		row
			.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!)))
			.join('  '),
	);
	return [title, ...lines].join('\n');
};
