import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from './n8n/pack.ts';
import { PlaygroundError } from './n8n/preflight.ts';

const defaultDataFolder = join(projectFolder, '.cache', 'playground');

export const usage = `npm start -- [options]

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

/** @throws PlaygroundError or parseArgs's own error, which name the option. */
export const readOptions = () => {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '5678' },
			'emulator-port': { type: 'string', default: '4010' },
			data: { type: 'string', default: defaultDataFolder },
			reset: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	return {
		port: readPort(values.port),
		emulatorPort: readPort(values['emulator-port']),
		dataFolder: resolve(values.data),
		reset: values.reset,
		help: values.help,
	};
};

export type Options = ReturnType<typeof readOptions>;
