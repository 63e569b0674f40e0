/**
 * Every benchmark that has a bound, and a few beside, one after the other in one report: `npm run bench`, or
 * `npm run bench send trigger` for some. A machine that does other work at the same time gives figures of no use.
 */
import { readdirSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { currentN8n } from '../../playground/n8n/versions.ts';
import type { Bench, Figure } from './figure.ts';

const suffix = '.bench.ts';
/** Figures without bounds that take an hour and a half together: only when they are named. */
const long = ['eventRate', 'openQuestions', 'statusLoad'];
const { positionals } = parseArgs({ allowPositionals: true, strict: false });

const all = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith(suffix))
	.map((file) => file.slice(0, -suffix.length));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`No such benchmark: ${unknown.join(', ')}`);
const names = all.filter((name) =>
	positionals.length > 0 ? positionals.includes(name) : !long.includes(name),
);

const machine = (): string => {
	const [cpu] = cpus();
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const load = loadavg()[0]?.toFixed(1);
	return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${gigabytes} GB, load ${load}, Node.js ${process.version}, n8n ${currentN8n}`;
};

const verdict = ({ bound }: Figure): string =>
	bound ? `${bound.isKept ? 'kept' : '**missed**'}: ${bound.text}` : '';

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

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

const table = (figures: Figure[]): string => {
	const rows = figures.map((figure) => {
		const results = Object.entries(figure.results).map(([name, value]) => `${name} ${value}`);
		return row([figure.what, figure.by, results.join(', '), verdict(figure)]);
	});
	return [row(['What', 'By', 'Result', 'Bound']), row(Array(4).fill('---')), ...rows].join('\n');
};

console.log(`${machine()}\n`);
const figures: Figure[] = [];
for (const name of names) {
	const begunMs = performance.now();
	const module: { default: Bench } = await import(join(import.meta.dirname, `${name}${suffix}`));
	figures.push(...(await measure(module.default)));
	console.error(`${name}: ${((performance.now() - begunMs) / 1000).toFixed(0)} s`);
}
console.log(table(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;
