import { freeMegabytes } from './preflight.ts';

export type InstallProgress = {
	/** The current step, e.g. "Installing n8n-2.41.1". */
	phase: string;
	elapsedSeconds: number;
	/** Decrease in free disk space since the start, which includes writes by other programs. */
	megabytes: number;
};

/** Announces a phase. Repeating the same phase has no effect. */
export type Say = (phase: string) => void;

/** Reports each phase when it begins, and then every second. */
export const createReporter = async (
	folder: string,
	onProgress: (progress: InstallProgress) => void,
) => {
	const startedAt = Date.now();
	const freeAtStart = await freeMegabytes(folder);
	let phase: string | undefined;
	const report = async () => {
		const megabytes = Math.max(0, freeAtStart - (await freeMegabytes(folder)));
		const elapsedSeconds = Math.round((Date.now() - startedAt) / 1000);
		if (phase !== undefined) onProgress({ phase, elapsedSeconds, megabytes });
	};
	const timer = setInterval(() => void report(), 1_000);
	return {
		say: (next: string): void => {
			if (next === phase) return;
			phase = next;
			void report();
		},
		end: (): void => {
			clearInterval(timer);
			phase = undefined;
		},
	};
};

const plainIntervalSeconds = 15;

type Terminal = { isTTY?: boolean; write(text: string): unknown };

const formatProgress = ({ phase, elapsedSeconds, megabytes }: InstallProgress): string =>
	`${phase} …  ${elapsedSeconds} s  ${megabytes} MB`;

/** On a terminal, a single line that updates itself; otherwise a line per phase and every 15 s. */
export const createProgressDisplay = (terminal: Terminal = process.stdout) => {
	let last: InstallProgress | undefined;
	const isDue = (progress: InstallProgress) =>
		last === undefined ||
		progress.phase !== last.phase ||
		progress.elapsedSeconds - last.elapsedSeconds >= plainIntervalSeconds;
	return {
		show: (progress: InstallProgress): void => {
			if (terminal.isTTY) terminal.write(`\r\u001b[K${formatProgress(progress)}`);
			else if (isDue(progress)) terminal.write(`${formatProgress(progress)}\n`);
			else return;
			last = progress;
		},
		end: (): void => {
			if (last !== undefined && terminal.isTTY) terminal.write('\n');
		},
	};
};
