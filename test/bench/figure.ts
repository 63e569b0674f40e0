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

/** A benchmark that also runs on its own: `npx tsx test/bench/send.bench.ts`. */
export const defineBench = async (file: string, bench: Bench): Promise<Bench> => {
	if (process.argv[1] !== file) return bench;
	const figures = await bench();
	console.log(figures.map(line).join('\n'));
	process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;
	return bench;
};

/** One measurement after the other: side by side they would slow each other down. */
export const measureEach = async <Case>(
	cases: readonly Case[],
	measure: (each: Case) => Promise<Figure | Figure[]>,
): Promise<Figure[]> => {
	const figures: Figure[] = [];
	for (const each of cases) figures.push(...[await measure(each)].flat());
	return figures;
};
