/** One measured figure, beside what a user would pick instead. */
export type Figure = {
	/** What was measured, e.g. `1,000 sends at 60 ms latency`. */
	what: string;
	/** Who did it: this package, or the alternative. */
	by: string;
	/** The results in the order of the report, e.g. `{ seconds: '71.5', delivered: '1,000' }`. */
	results: Record<string, string>;
	/** The bound that it has to keep, and whether it does; alternatives have none. */
	bound?: { text: string; isKept: boolean };
};

/** A benchmark: measures, and says what came out. */
export type Bench = () => Promise<Figure[]>;

const line = ({ what, by, results, bound }: Figure): string => {
	const values = Object.entries(results).map(([name, value]) => `${name} ${value}`);
	const verdict = bound && `${bound.isKept ? 'kept' : 'MISSED'}: ${bound.text}`;
	return [what, by, values.join(', '), verdict].filter(Boolean).join(' | ');
};

/** Runs one benchmark on its own: `npx tsx test/bench/send.bench.ts`. */
export const runAlone = async (bench: Bench): Promise<void> => {
	const figures = await bench();
	console.log(figures.map(line).join('\n'));
	process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;
};
