/**
 * Plants small mistakes in what ships, one at a time, and says which of them `npm test` finds.
 *
 *   npx tsx test/mutants/run.ts             100 mistakes, hours; goes on where an earlier run was stopped
 *   npx tsx test/mutants/run.ts 12 40       only these
 *
 * It works in a copy of the last commit below `.cache/mutants`, so the project can be edited meanwhile. `seed` and
 * `of` (a commit) are set by KUDOSITY_SEED and KUDOSITY_MUTANTS_OF: the mistakes are drawn from the sources of that
 * commit, so that two states can be compared by the same ones.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { plant, planMutants, type Mutant } from './plan.ts';

const project = resolve(import.meta.dirname, '../..');
const seed = Number(process.env.KUDOSITY_SEED ?? 20261124);
const count = 100;
/** So long without a line from the tests, and it hangs, which counts as found. */
const silenceMs = 120_000;

const git = (...args: string[]): string =>
	execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();

const commit = git('rev-parse', 'HEAD');
const drawnFrom = git('rev-parse', process.env.KUDOSITY_MUTANTS_OF ?? 'HEAD');
const cache = join(project, '.cache/mutants');
const results = join(cache, `${commit.slice(0, 8)}-of-${drawnFrom.slice(0, 8)}-${seed}.jsonl`);

/** How long each test file takes, from the run without a mistake. */
const durations = join(cache, `durations-${commit.slice(0, 8)}.json`);

type Result = { id: number; outcome: 'found' | 'hangs' | 'missed' | 'gone'; by?: string };

const checkout = async (name: string, ref: string): Promise<string> => {
	const folder = join(cache, name);
	await rm(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const archive = execFileSync('git', ['archive', ref], {
		cwd: project,
		maxBuffer: 256 * 1024 * 1024,
	});
	execFileSync('tar', ['-x', '-C', folder], { input: archive });
	return folder;
};

const shippedFiles = (): string[] =>
	git('ls-tree', '-r', '--name-only', drawnFrom, '--', 'nodes', 'credentials')
		.split('\n')
		.filter((path) => path.endsWith('.ts'));

const readPlan = async (): Promise<Mutant[]> => {
	const file = join(cache, `plan-${drawnFrom.slice(0, 8)}-${seed}.json`);
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Mutant[];
	const root = await checkout('plan', drawnFrom);
	await cp(join(project, 'node_modules'), join(root, 'node_modules'), { recursive: true });
	const plan = planMutants(root, shippedFiles(), { seed, count });
	writeFileSync(file, JSON.stringify(plan, undefined, '\t'));
	await rm(root, { recursive: true, force: true });
	return plan;
};

/** Runs a command at the lowest priority. Its output, and whether it passed, failed or hung. */
const run = (
	command: string,
	args: string[],
	cwd: string,
	environment: Record<string, string> = {},
): Promise<{ code: number; output: string; hung: boolean }> =>
	new Promise((done) => {
		const child = spawn('nice', ['-n', '19', command, ...args], {
			cwd,
			detached: true,
			env: { ...process.env, ...environment },
		});
		let output = '';
		let hung = false;
		const end = () => {
			hung = true;
			process.kill(-child.pid!, 'SIGKILL');
		};
		let timer = setTimeout(end, silenceMs);
		const onData = (data: Buffer) => {
			output += data.toString();
			clearTimeout(timer);
			timer = setTimeout(end, silenceMs);
		};
		child.stdout.on('data', onData);
		child.stderr.on('data', onData);
		child.on('close', (code) => {
			clearTimeout(timer);
			done({ code: code ?? 1, output, hung });
		});
	});

const test = async (root: string, options: string[] = []): Promise<Omit<Result, 'id'>> => {
	const built = await run('npm', ['run', 'build'], root);
	if (built.code !== 0) return { outcome: 'found', by: 'the build' };
	const config = ['--root', '.', '--config', 'test/mutants/vitest.config.mts'];
	const vitest = ['vitest', 'run', ...config, '--project', 'unit', '--project', 'engine'];
	const { code, output, hung } = await run(
		'npx',
		[...vitest, '--bail', '1', '--maxWorkers', '1', '--no-color', ...options],
		root,
		{ KUDOSITY_MUTANTS_DURATIONS: durations },
	);
	if (hung) return { outcome: 'hangs' };
	if (code === 0) return { outcome: 'missed' };
	return { outcome: 'found', by: /FAIL\s+(.*)/.exec(output)?.[1] ?? output.slice(-300) };
};

const known = (): Map<number, Result> => {
	const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [];
	const rows = lines.filter(Boolean).map((line) => JSON.parse(line) as Result);
	return new Map(rows.map((row) => [row.id, row]));
};

mkdirSync(cache, { recursive: true });
const plan = await readPlan();

/** Mistakes are tried two at a time, each in a tree of its own. */
const trees = await Promise.all(
	['one', 'other'].map(async (name) => {
		const root = await checkout(`tree-${name}-${commit.slice(0, 8)}`, 'HEAD');
		await cp(join(project, 'node_modules'), join(root, 'node_modules'), { recursive: true });
		return root;
	}),
);

/** That the tests pass without a mistake, and how long each file takes. */
const tryWithoutMistake = async (root: string): Promise<void> => {
	const report = join(root, 'clean.json');
	const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile', report];
	const clean = await test(root, reporters);
	if (clean.outcome !== 'missed') throw new Error(`Fails without a mistake: ${clean.by}`);
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
		testResults: Array<{ name: string; startTime: number; endTime: number }>;
	};
	const byFile = testResults.map(({ name, startTime, endTime }) => [
		relative(root, name),
		endTime - startTime,
	]);
	writeFileSync(durations, JSON.stringify(Object.fromEntries(byFile)));
};
if (!existsSync(durations)) await tryWithoutMistake(trees[0]!);

const only = process.argv.slice(2).map(Number);
const isWanted = ({ id }: Mutant): boolean =>
	only.length > 0 ? only.includes(id) : !known().has(id);
const wanted = plan.filter(isWanted);

const tryIn = async (root: string, mutant: Mutant): Promise<void> => {
	const { id, path, line, before, after } = mutant;
	const file = join(root, path);
	const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const mutated = plant(source, mutant);
	let result: Result = { id, outcome: 'gone' };
	if (mutated !== undefined) {
		writeFileSync(file, mutated);
		result = { id, ...(await test(root)) };
		writeFileSync(file, source);
	}
	appendFileSync(results, `${JSON.stringify(result)}\n`);
	process.stdout.write(
		`${result.outcome.padEnd(6)} ${id} ${path}:${line} ${JSON.stringify(before)} -> ${JSON.stringify(after)} ${result.by ?? ''}\n`,
	);
};
await Promise.all(
	trees.map(async (root) => {
		for (let mutant = wanted.shift(); mutant; mutant = wanted.shift()) await tryIn(root, mutant);
	}),
);

const outcomes = [...known().values()].map(({ outcome }) => outcome);
const tally = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
process.stdout.write(
	`${tally('found') + tally('hangs')} found, ${tally('missed')} missed, ${tally('gone')} gone, of ${plan.length}\n`,
);
await Promise.all(trees.map(async (root) => await rm(root, { recursive: true, force: true })));
