import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Loaded into n8n before anything else: adds the milliseconds that the file has to the time of day. */
const shiftedDate = (file: string) => `
const { readFileSync } = require('node:fs');
let offset = 0;
const read = () => { offset = Number(readFileSync(${JSON.stringify(file)}, 'utf8')); };
read();
setInterval(read, 20).unref();
const Real = Date;
const realNow = Real.now.bind(Real);
const now = () => realNow() + offset;
globalThis.Date = new Proxy(Real, {
	construct: (target, args, made) => Reflect.construct(target, args.length > 0 ? args : [now()], made),
	apply: () => new Real(now()).toString(),
	get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
`;

/** A clock for an n8n that is started with this environment. Its timers keep real time. */
export const createShiftedClock = async () => {
	const folder = await mkdtemp(join(tmpdir(), 'kudosity-clock-'));
	const file = join(folder, 'offset');
	const setAhead = async (ms: number): Promise<void> => await writeFile(file, String(ms));
	await setAhead(0);
	const preload = join(folder, 'clock.cjs');
	await writeFile(preload, shiftedDate(file));
	return {
		environment: { NODE_OPTIONS: `--require ${preload}` },
		setAhead,
		set: async (time: string): Promise<void> => await setAhead(Date.parse(time) - Date.now()),
		remove: async (): Promise<void> => await rm(folder, { recursive: true, force: true }),
	};
};
