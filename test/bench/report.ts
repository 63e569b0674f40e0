/**
 * Every benchmark that has a bound, and a few beside, one after the other in one report: `npm run bench`, or
 * `npm run bench send trigger` for some. A machine that does other work at the same time gives figures of no use.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { currentN8n } from '../../playground/n8n/versions.ts';
import type { Figure } from './figure.ts';

const suffix = '.bench.ts';
const { positionals } = parseArgs({ allowPositionals: true, strict: false });
const flags = process.argv.slice(2).filter((argument) => !positionals.includes(argument));

const all = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith(suffix))
	.map((file) => file.slice(0, -suffix.length));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`No such benchmark: ${unknown.join(', ')}`);
const names = positionals.length > 0 ? positionals : all;

const machine = (): string => {
	const [cpu] = cpus();
	const gigabytes = Math.round(totalmem() / 2 ** 30);
	const load = loadavg()[0]?.toFixed(1);
	return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${gigabytes} GB, load ${load}, Node.js ${process.version}, n8n ${currentN8n}`;
};

const verdict = ({ bound }: Figure): string =>
	bound ? `${bound.isKept ? 'kept' : '**missed**'}: ${bound.text}` : '';

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** Each in a process of its own: what one leaves in memory would slow down the next. */
const measure = async (name: string): Promise<Figure[]> => {
	const script = join(import.meta.dirname, 'measure.ts');
	const child = fork(script, [name, ...flags], { execArgv: ['--import', 'tsx'] });
	let figures: Figure[] | undefined;
	child.once('message', (measured) => (figures = measured as Figure[]));
	const [code, signal] = await once(child, 'exit');
	const bound = { text: `it failed (${code ?? signal})`, isKept: false };
	return code === 0 && figures ? figures : [{ what: name, by: '', results: {}, bound }];
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
	figures.push(...(await measure(name)));
	console.error(`${name}: ${((performance.now() - begunMs) / 1000).toFixed(0)} s`);
}
console.log(table(figures));
process.exitCode = figures.every(({ bound }) => bound?.isKept ?? true) ? 0 : 1;
