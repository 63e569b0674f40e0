import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

/** The emulator in a process of its own, so that its memory and its time are not taken for the node's. */
export const startEmulatorProcess = async (): Promise<{ url: string; stop(): void }> => {
	const script = join(root, 'playground/emulator/main.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', script, '0'], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	process.once('exit', () => child.kill());
	const [line] = await once(createInterface({ input: child.stdout }), 'line');
	const url = /http:\S+/.exec(String(line))?.[0];
	if (!url) throw new Error('The emulator did not say where it is');
	return { url, stop: () => void child.kill() };
};
