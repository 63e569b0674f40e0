import { delimiter, dirname } from 'node:path';
import type { Command } from './command.ts';

/** What `npm start` and `npx` tell their own scripts; it would send a nested npm to this project. */
const outerNpmSettings =
	/^npm_(package|lifecycle|config_local_prefix|config_ignore_scripts|command)/i;

/** The environment without an outer npm's settings, with the given Node.js first on the path. */
export const npmEnvironment = (nodeBinary: string = process.execPath): NodeJS.ProcessEnv => ({
	...Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !outerNpmSettings.test(name)),
	),
	PATH: [dirname(nodeBinary), process.env.PATH].join(delimiter),
});

/** npm itself: the one that runs this script where there is one, so that its version is the user's. */
export const npmCommand = (args: string[]): Pick<Command, 'file' | 'args'> => {
	const running = process.env.npm_execpath ?? '';
	return running.endsWith('npm-cli.js')
		? { file: process.execPath, args: [running, ...args] }
		: { file: 'npm', args };
};
