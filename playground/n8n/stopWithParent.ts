import { Socket } from 'node:net';

/**
 * Preloaded into n8n. Ends n8n when its parent process is gone, however it died: the parent holds the other end of
 * this pipe, and the system closes it.
 */
const pipeFromParent = 3;
const graceMs = 10_000;

const endGroup = () => process.kill(-process.pid, 'SIGKILL');

new Socket({ fd: pipeFromParent })
	.on('error', () => {})
	.on('close', () => {
		setTimeout(endGroup, graceMs).unref();
		process.once('exit', endGroup);
		process.kill(process.pid, 'SIGTERM');
	})
	.resume()
	.unref();
