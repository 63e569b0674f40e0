/**
 * The rest of `.ci/run`, once everything is installed: builds and packs once, runs the phases in their lanes, and
 * says at the end what failed, and how to see it again.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isRepeatable, readFailures, replay, slowestFiles, type Failure } from './failures.ts';
import { choosePhases, installations, lanes, type Phase } from './phases.ts';
import { endMarked, runMarked } from './runMarked.ts';

const project = resolve(import.meta.dirname, '../..');
const phases = choosePhases(process.argv.slice(2));

/** Other random input for each commit, and the same for everybody who has it. */
const seedOfCommit = (): string => {
	const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: project, encoding: 'utf8' });
	return String(Number.parseInt(commit.slice(0, 7), 16));
};

const seed = (process.env.KUDOSITY_SEED ||= seedOfCommit());
const say = (text: string): void => void process.stdout.write(`${text}\n`);
say(`KUDOSITY_SEED=${seed}`);

const scratch = mkdtempSync(join(tmpdir(), 'kudosity-ci-'));
const tarball = join(scratch, 'package.tgz');
const started = Date.now();

const duration = (ms: number): string => {
	const seconds = Math.round(ms / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

type Outcome = { phase: string; passed: boolean; ms: number; note: string; failures: Failure[] };

const marks: string[] = [];

const runIn = async (phase: Phase, name: string, command: string, environment: string[] = []) => {
	const folder = join(scratch, name);
	mkdirSync(folder);
	const mark = `KUDOSITY_CI_RUN=${folder}`;
	marks.push(mark);
	say(`\n=== ${name}: ${command}`);
	const own = [...(phase.environment ?? []), ...environment, `TMPDIR=${folder}`];
	return await runMarked(command, { mark, minutes: phase.minutes, environment: own });
};

const commandOf = ({ commands = [], projects = [], files = [] }: Phase): string =>
	commands.length > 0
		? commands.join(' && ')
		: ['npx vitest run', ...projects.map((name) => `--project ${name}`), ...files].join(' ');

/** At most three tests are run once more, each by itself. */
const passesAgain = async (phase: Phase, failures: Failure[]): Promise<boolean> => {
	if (failures.length === 0 || failures.length > 3) return false;
	if (!failures.every(isRepeatable)) return false;
	for (const [index, failure] of failures.entries()) {
		const { exitCode } = await runIn(phase, `${phase.name}-again-${index}`, replay(failure, []));
		if (exitCode !== 0) return false;
	}
	return true;
};

const runPhase = async (phase: Phase): Promise<Outcome> => {
	const begun = Date.now();
	const report = join(scratch, `${phase.name}.json`);
	const run = await runIn(phase, phase.name, commandOf(phase), [`TEST_REPORT=${report}`]);
	const { exitCode, output, isLate, leftovers } = run;
	const failures = exitCode === 0 ? [] : readFailures(report, project);
	const isUnsteady = exitCode !== 0 && !isLate && (await passesAgain(phase, failures));
	const passed = (exitCode === 0 || isUnsteady) && leftovers.length === 0;
	const ms = Date.now() - begun;
	const faults = [
		isLate && `longer than ${phase.minutes} minutes`,
		...leftovers.map((line) => `left running: ${line}`),
		isUnsteady && 'at the second try',
	];
	const note = faults.filter(Boolean).join('; ');
	say(`\n--- ${phase.name}: ${passed ? 'passed' : 'FAILED'} in ${duration(ms)} ${note}`);
	slowestFiles(report, project).forEach(say);
	if (!passed) say(output);
	return { phase: phase.name, passed, ms, note, failures };
};

const runLane = async (lane: Phase['lane']): Promise<Outcome[]> => {
	const outcomes: Outcome[] = [];
	for (const phase of phases.filter((each) => each.lane === lane))
		outcomes.push(await runPhase(phase));
	return outcomes;
};

/** More would only wait for each other's processors, until tests take the machine for a service that hangs. */
const lanesAtOnce = availableParallelism() + 1;

const waitingLanes = [...lanes];

/** Takes the next lane as soon as one has ended. */
const runNextLanes = async (): Promise<Outcome[]> => {
	const outcomes: Outcome[] = [];
	for (let lane = waitingLanes.shift(); lane !== undefined; lane = waitingLanes.shift())
		outcomes.push(...(await runLane(lane)));
	return outcomes;
};

const pack = [
	'npm run build',
	`npm pack --silent --pack-destination ${scratch}`,
	`mv ${scratch}/*.tgz ${tarball}`,
];

const install = (name: keyof typeof installations): Phase => ({
	name: `install ${name}, once per machine`,
	lane: 'alone',
	minutes: 30,
	commands: [installations[name]],
});

const build: Phase = { name: 'build', lane: 'alone', minutes: 5, commands: pack };

const report = (outcomes: Outcome[]): boolean => {
	say('');
	for (const { phase, passed, ms, note } of outcomes)
		say(`${passed ? 'passed' : 'FAILED'}  ${phase.padEnd(10)} ${duration(ms).padStart(6)} ${note}`);
	for (const { phase, passed, failures } of outcomes) {
		for (const failure of failures) {
			const { environment = [] } = phases.find(({ name }) => name === phase) ?? {};
			say(`\n${passed ? 'Passed at the second try only' : 'Failed'}: ${failure.file}`);
			say(`  ${failure.test ?? 'the whole file'}`);
			say(failure.message.replace(/^/gm, '    '));
			say(`  replay: ${replay(failure, [`KUDOSITY_SEED=${seed}`, ...environment])}`);
		}
	}
	const passed = outcomes.every((outcome) => outcome.passed);
	say(
		`\n${passed ? 'PASSED' : 'FAILED'} in ${duration(Date.now() - started)}, KUDOSITY_SEED=${seed}`,
	);
	return passed;
};

const cleanUp = (): void => {
	marks.forEach(endMarked);
	rmSync(scratch, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
	process.once(signal, () => {
		cleanUp();
		process.exit(1);
	});

try {
	const needed = [...new Set(phases.flatMap(({ needs = [] }) => needs))];
	const outcomes: Outcome[] = [];
	for (const first of [...needed.map(install), build]) outcomes.push(await runPhase(first));
	process.env.KUDOSITY_TARBALL = tarball;
	if (outcomes.every(({ passed }) => passed)) {
		outcomes.push(...(await runLane('alone')));
		const places = Array.from({ length: lanesAtOnce }, runNextLanes);
		outcomes.push(...(await Promise.all(places)).flat());
	}
	process.exitCode = report(outcomes) ? 0 : 1;
} finally {
	cleanUp();
}
