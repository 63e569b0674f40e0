import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from './n8n/pack.ts';
import { PlaygroundError } from './n8n/preflight.ts';
import { currentN8n, n8nPins, type N8nVersion } from './n8n/versions.ts';

const versions = Object.keys(n8nPins) as N8nVersion[];

/** One for each version: an older n8n cannot read the database of a newer one. */
const dataFolderOf = (version: N8nVersion): string =>
	join(projectFolder, '.cache', version === currentN8n ? 'playground' : `playground-${version}`);

export const usage = `npm start -- [options]

  --n8n <version>           ${versions.join(' or ')}, the first unless told
  --port <number>           n8n's port, 5678 if free
  --emulator-port <number>  the emulator's port, 4010 if free
  --data <folder>           where workflows and settings are kept, .cache/playground unless told
  --reset                   forget workflows, executions and settings of earlier starts
  --help                    show this`;

const readPort = (text: string): number => {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new PlaygroundError(`"${text}" is not a port number`);
};

const readVersion = (text: string): N8nVersion => {
	const version = versions.find((each) => each === text);
	if (version) return version;
	throw new PlaygroundError(`"${text}" is no n8n to choose: take ${versions.join(' or ')}`);
};

/** @throws PlaygroundError or parseArgs's own error, which name the option. */
export const readOptions = () => {
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
		dataFolder: resolve(values.data ?? dataFolderOf(version)),
		reset: values.reset,
		help: values.help,
	};
};

export type Options = ReturnType<typeof readOptions>;
