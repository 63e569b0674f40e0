import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

export type Run = {
	exitCode: number;
	output: string;
	isLate: boolean;
	/** The command lines of the processes that it left running, which were ended. */
	leftovers: string[];
};

const read = (path: string): string => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
};

/** The processes that have the mark in their environment, however they were started (Linux). */
const marked = (mark: string): string[] =>
	readdirSync('/proc').filter(
		(pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/environ`).split('\0').includes(mark),
	);

const end = (pids: string[]): void => {
	for (const pid of pids) {
		try {
			process.kill(Number(pid), 'SIGKILL');
		} catch {
			// It has ended by itself.
		}
	}
};

export const endMarked = (mark: string): void => end(marked(mark));

const sweep = async (mark: string): Promise<string[]> => {
	for (let tries = 0; tries < 20 && marked(mark).length > 0; tries++) await wait(250);
	const pids = marked(mark);
	const lines = pids.map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 160));
	end(pids);
	return lines;
};

/** Runs a command of bash without input, for at most so many minutes, and leaves no process of it behind. */
export const runMarked = async (
	command: string,
	{ mark, minutes, environment }: { mark: string; minutes: number; environment: string[] },
): Promise<Run> => {
	const assignments = [mark, ...environment].map((pair) => pair.split(/=(.*)/s, 2));
	const child = spawn('bash', ['-c', command], {
		env: { ...process.env, ...Object.fromEntries(assignments) },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	let isLate = false;
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (data: Buffer) => void (output += data.toString()));
	const timer = setTimeout(() => {
		isLate = true;
		endMarked(mark);
	}, minutes * 60_000);
	// Not `close`: a process that outlives the command may hold its output open.
	const exitCode = await new Promise<number>((done) => child.on('exit', (code) => done(code ?? 1)));
	clearTimeout(timer);
	const leftovers = await sweep(mark);
	return { exitCode, output, isLate, leftovers };
};
