import { mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { startEmulator } from './emulator/server.ts';
import { lastLines } from './n8n/command.ts';
import { importExamples } from './n8n/examples.ts';
import { ensureN8n } from './n8n/install.ts';
import { launchN8n, type RunningN8n } from './n8n/launch.ts';
import { acquireLock } from './n8n/lock.ts';
import { playgroundOwner } from './n8n/ownerCalls.ts';
import { installPackage, projectFolder } from './n8n/pack.ts';
import { ensureCredentials } from './n8n/playgroundCredentials.ts';
import { choosePort } from './n8n/ports.ts';
import { PlaygroundError } from './n8n/preflight.ts';
import { createProgressDisplay } from './n8n/progress.ts';
import { republishTriggers } from './n8n/republish.ts';
import { createRest } from './n8n/rest.ts';
import type { N8nVersion } from './n8n/versions.ts';
import { readOptions, usage, type Options } from './options.ts';

const firstExample = 'first-sms.json';
const n8nFolder = 'n8n';
const exampleRecord = 'examples.json';

const say = (text: string) => console.log(text);

const installN8n = async (version: N8nVersion, signal: AbortSignal) => {
	const display = createProgressDisplay();
	try {
		return await ensureN8n({ version, onProgress: display.show, signal });
	} finally {
		display.end();
	}
};

/** Two n8n on one database would damage it. */
const lockData = async (dataFolder: string, signal: AbortSignal) => {
	await mkdir(dataFolder, { recursive: true });
	return await acquireLock(`${dataFolder}.lock`, {
		signal,
		onWait: () => {
			throw new PlaygroundError('The playground is running already, in another terminal.');
		},
	});
};

/** Deletes what earlier starts made, and nothing else that may lie in a folder of the user's choice. */
const forget = async (dataFolder: string): Promise<void> => {
	for (const name of [n8nFolder, exampleRecord]) {
		await rm(join(dataFolder, name), { recursive: true, force: true });
	}
};

type Places = { editor: string; workflow: string; emulator: string; dataFolder: string };

const greeting = ({ editor, workflow, emulator, dataFolder }: Places) => `
The playground is ready.

  n8n editor     ${editor}
  Login          ${playgroundOwner.email}   ${playgroundOwner.password}
  Kudosity page  ${emulator}   (an emulator: no message leaves this machine)

Try first: open ${workflow}
press "Execute workflow", and see the SMS arrive on the Kudosity page, where you can reply to it.

Ctrl-C stops everything. Workflows are kept in ${relative(process.cwd(), dataFolder) || dataFolder}; messages are not.
`;

type Cleanups = Array<() => Promise<void>>;

/** n8n may end by itself, and a playground without n8n is none. */
const untilStopped = async (n8n: RunningN8n, signal: AbortSignal): Promise<void> =>
	await new Promise((resolve, reject) => {
		signal.addEventListener('abort', () => resolve());
		n8n.process.once('exit', () => {
			if (!signal.aborted) reject(new Error(`n8n has ended:\n${lastLines(n8n.logs())}`));
		});
	});

const startServices = async (options: Options, signal: AbortSignal, cleanups: Cleanups) => {
	const installation = await installN8n(options.version, signal);
	say('Installing this package into n8n');
	const userFolder = join(options.dataFolder, n8nFolder);
	await installPackage({ userFolder, signal });

	say('Starting the emulator and n8n');
	const emulator = await startEmulator({ port: await choosePort(options.emulatorPort) });
	cleanups.push(emulator.close);
	const port = await choosePort(options.port);
	const n8n = await launchN8n({ installation, userFolder, port, signal });
	cleanups.push(n8n.stop);
	return { emulator, n8n };
};

const run = async (options: Options, signal: AbortSignal, cleanups: Cleanups): Promise<void> => {
	const { dataFolder, reset } = options;
	cleanups.push(await lockData(dataFolder, signal));
	if (reset) await forget(dataFolder);
	const { emulator, n8n } = await startServices(options, signal, cleanups);

	const rest = createRest(n8n.url);
	await rest.signIn();
	const credentials = await ensureCredentials(rest, emulator.url);
	const examples = await importExamples({
		rest,
		folder: join(projectFolder, 'examples'),
		recordFile: join(dataFolder, exampleRecord),
		credentials,
	});
	for (const name of await republishTriggers(rest)) say(`Could not publish "${name}" again`);

	const workflow = `${n8n.url}/workflow/${examples[firstExample]}`;
	say(greeting({ editor: n8n.url, workflow, emulator: emulator.url, dataFolder }));
	await untilStopped(n8n, signal);
};

/** npm does not pass every signal on, and may be killed. */
const stopWithoutParent = (stopping: AbortController): void => {
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && stopping.abort(), 1_000).unref();
};

/** Resolves to the exit code; everything that was started has ended by then. */
const main = async (): Promise<number> => {
	const stopping = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort());
	stopWithoutParent(stopping);
	const cleanups: Cleanups = [];
	try {
		const options = readOptions();
		if (options.help) say(usage);
		else await run(options, stopping.signal, cleanups);
		return 0;
	} catch (error) {
		if (stopping.signal.aborted) return 0;
		console.error(error instanceof Error ? `\n${error.message}` : error);
		return 1;
	} finally {
		for (const cleanup of cleanups.reverse()) await cleanup();
	}
};

process.exitCode = await main();
