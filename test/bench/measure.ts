/** Measures one benchmark for the report, which starts this in a process of its own, and tells it the figures. */
import { join } from 'node:path';
import type { Bench, Figure } from './figure.ts';

/** What takes less than this is measured three times, to show how far the results lie apart. */
const shortSeconds = 60;
const repeats = 2;

/** The same figures of several runs as one each, with every result. A bound counts as kept in most runs. */
const merge = (runs: Figure[][]): Figure[] =>
	(runs[0] ?? []).map((first, index) => {
		const same = runs.map((figures) => figures[index] ?? first);
		const results = Object.keys(first.results).map((name) => {
			const values = same.map((figure) => figure.results[name] ?? '');
			return [name, [...new Set(values)].join(' / ')];
		});
		const kept = same.filter(({ bound }) => bound?.isKept ?? true);
		const isKept = kept.length > same.length / 2;
		const bound = first.bound && { ...first.bound, isKept };
		return { ...first, results: Object.fromEntries(results), bound };
	});

const measure = async (bench: Bench): Promise<Figure[]> => {
	const begunMs = performance.now();
	const runs = [await bench()];
	const isShort = performance.now() - begunMs < shortSeconds * 1000;
	for (let repeat = 0; isShort && repeat < repeats; repeat++) runs.push(await bench());
	return merge(runs);
};

// Without its report it would disturb the next one.
process.once('disconnect', () => process.exit(1));
const [, , name] = process.argv;
const module: { default: Bench } = await import(join(import.meta.dirname, `${name}.bench.ts`));
process.send!(await measure(module.default), () => process.exit(0));
