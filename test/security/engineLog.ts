import { createRequire } from 'node:module';
import { format } from 'node:util';
import { require } from '../engine/engineModules.ts';

const requireOfCore = createRequire(require.resolve('n8n-core'));

type Log = Record<'error' | 'warn' | 'info' | 'debug', (...args: unknown[]) => void>;

/** What the nodes, and n8n's engine, say from now on to n8n's log, at any level. */
export const listenToLog = (): string[] => {
	const lines: string[] = [];
	const { Container } = requireOfCore('@n8n/di') as { Container: { get(type: unknown): Log } };
	const { Logger } = requireOfCore('@n8n/backend-common') as { Logger: unknown };
	const logger = Container.get(Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		logger[level] = (...args) => void lines.push(format(...args));
	}
	return lines;
};
