import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One project per layer; the real-n8n layers share one n8n and so run one file after the other. */
const layer = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
	test: { name, include, ...options },
});

/** More workers than cores, since a test often waits for a timer. */
const maxWorkers = Math.ceil(1.5 * availableParallelism());

/** What the files of a layer import, n8n's engine above all, is loaded once for each worker. */
const quickRuns = { testTimeout: 90_000, isolate: false, maxWorkers };

/** A test that restarts n8n waits at most 180 s for it, and then fails with the end of n8n's log. */
const realN8n = { fileParallelism: false, testTimeout: 240_000, hookTimeout: 1_200_000 };

/** These start an n8n of their own. */
const realN8nFiles = ['test/security/secrets.test.ts', 'test/faults/events.test.ts'];

/** Thousands of messages or events, on machines of any speed. */
const longRuns = { ...realN8n, testTimeout: 600_000 };

/** Two files at a time, since a test mostly waits for n8n, and n8n for pauses. */
const twoAtATime = (groupOrder: number) => ({
	isolate: false,
	fileParallelism: true,
	maxWorkers: 2,
	sequence: { groupOrder },
});

/** One n8n for all files of a project; `startPlayground` joins it. */
const sharedN8n = { ...realN8n, globalSetup: ['test/e2e/globalSetup.ts'] };

/** They share an n8n of their own. */
const browser = { ...realN8n, globalSetup: ['test/examples/globalSetup.ts'] };

const { TEST_REPORT: outputFile } = process.env;

/** For `.ci/run`, which reads there what failed. */
const reportFile = outputFile
	? [['json', { outputFile }] as [string, Record<string, unknown>]]
	: [];

export default defineConfig({
	test: {
		reporters: ['default', ...reportFile],
		projects: [
			layer(
				'unit',
				['test/{nodes,credentials,playground,project}/**/*.test.ts', 'test/*.test.ts'],
				{ ...quickRuns, setupFiles: ['test/helpers/fastCheckSeed.ts'] },
			),
			layer('engine', ['test/engine/**/*.test.ts'], {
				...quickRuns,
				setupFiles: ['test/engine/setup.ts', 'test/helpers/fastCheckSeed.ts'],
			}),
			layer('e2e', ['test/e2e/**/*.test.ts'], { ...sharedN8n, ...twoAtATime(1) }),
			layer('examples', ['test/examples/**/*.test.ts'], { ...browser, ...twoAtATime(2) }),
			layer('browser', ['test/browser/**/*.test.ts'], browser),
			layer('queue', ['test/queue/**/*.test.ts'], longRuns),
			layer('inProcess', ['test/{security,faults,soak}/**/*.test.ts'], {
				maxWorkers,
				testTimeout: 120_000,
				exclude: [...realN8nFiles, 'test/soak/soak.test.ts'],
			}),
			layer('realN8n', realN8nFiles, longRuns),
			layer('soak', ['test/soak/soak.test.ts'], longRuns),
		],
	},
});
