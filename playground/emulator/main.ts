import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from './model.ts';
import { startEmulator } from './server.ts';

const DEFAULT_PORT = 4010;

/** `tsx playground/emulator/main.ts [port]`, or set EMULATOR_PORT. 0 picks a free port. */
const port = Number(process.argv[2] ?? process.env.EMULATOR_PORT ?? DEFAULT_PORT);
const emulator = await startEmulator({ port });

console.log(`Kudosity emulator: ${emulator.url}`);
console.log(`API key ${PLAYGROUND_API_KEY}, API secret ${PLAYGROUND_API_SECRET}`);
console.log('Everything is held in memory and lost when this process ends.');

const stop = async () => {
	await emulator.close();
	process.exit(0);
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
