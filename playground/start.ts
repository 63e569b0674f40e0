import { mkdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmulator } from './emulator/server.ts';
import { lastLines } from './n8n/command.ts';
import { ensureN8n } from './n8n/install.ts';
import { launchN8n, type RunningN8n } from './n8n/launch.ts';
import { acquireLock } from './n8n/lock.ts';
import { installPackage, projectFolder } from './n8n/pack.ts';
import { choosePort } from './n8n/ports.ts';
import { PlaygroundError } from './n8n/preflight.ts';
import { createProgressDisplay } from './n8n/progress.ts';
import { createRest, playgroundOwner } from './n8n/rest/index.ts';
import { ensureCredentials, importExamples, republishTriggers } from './n8n/setUp.ts';
import { currentN8n, n8nPins, type N8nVersion } from './n8n/versions.ts';

const versions = Object.keys(n8nPins) as N8nVersion[];

/** One per version, because an older n8n cannot read the database of a newer one. */
const defaultDataFolder = (version: N8nVersion): string =>
	join(projectFolder, '.cache', version === currentN8n ? 'playground' : `playground-${version}`);

const usage = `npm start -- [options]

  --n8n <version>           ${versions.join(' or ')} (default: the first)
  --port <number>           n8n's port (default: 5678 if free)
  --emulator-port <number>  the emulator's port (default: 4010 if free)
  --data <folder>           where to keep workflows and settings (default: .cache/playground)
  --reset                   delete workflows, executions and settings of earlier starts
  --help                    show this help`;

const readPort = (text: string): number => {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new PlaygroundError(`"${text}" is not a port number`);
};

const readVersion = (text: string): N8nVersion => {
	const version = versions.find((each) => each === text);
	if (version) return version;
	throw new PlaygroundError(`Unknown n8n version "${text}". Available: ${versions.join(', ')}`);
};

/** @throws PlaygroundError, or parseArgs's error, which names the option. */
const readOptions = () => {
	const { values } = parseArgs({
		options: {
			n8n: { type: 'string', default: currentN8n },
			port: { type: 'string', default: '5678' },
			'emulator-port': { type: 'string', default: '4010' },
			data: { type: 'string' },
			reset: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const version = readVersion(values.n8n);
	return {
		version,
		port: readPort(values.port),
		emulatorPort: readPort(values['emulator-port']),
		dataFolder: resolve(values.data ?? defaultDataFolder(version)),
		reset: values.reset,
		help: values.help,
	};
};

type Options = ReturnType<typeof readOptions>;

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

/** Two n8n instances on one database would corrupt it. */
const lockData = async (dataFolder: string, signal: AbortSignal) => {
	await mkdir(dataFolder, { recursive: true });
	return await acquireLock(`${dataFolder}.lock`, {
		signal,
		onWait: () => {
			throw new PlaygroundError('The playground is running already, in another terminal.');
		},
	});
};

/** Deletes only what earlier starts created: the folder is the user's choice and may hold other files. */
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
and select "Execute workflow". The SMS arrives on the Kudosity page, where you can reply to it.

Ctrl-C stops everything. Workflows are kept in ${relative(process.cwd(), dataFolder) || dataFolder}; messages are not.
`;

type Cleanups = Array<() => Promise<void>>;

/** Rejects if n8n exits by itself, because the playground is useless without it. */
const untilStopped = async (n8n: RunningN8n, signal: AbortSignal): Promise<void> =>
	await new Promise((resolve, reject) => {
		signal.addEventListener('abort', () => resolve());
		n8n.process.once('exit', () => {
			if (!signal.aborted) reject(new Error(`n8n exited:\n${lastLines(n8n.logs())}`));
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
		version: options.version,
	});
	for (const name of await republishTriggers(rest)) say(`Could not republish "${name}"`);

	const workflow = `${n8n.url}/workflow/${examples[firstExample]}`;
	say(greeting({ editor: n8n.url, workflow, emulator: emulator.url, dataFolder }));
	await untilStopped(n8n, signal);
};

/** Stops when npm is gone: it does not forward every signal, and may be killed. */
const stopWithoutParent = (stopping: AbortController): void => {
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && stopping.abort(), 1_000).unref();
};

/** Resolves to the exit code, after everything it started has ended. */
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
