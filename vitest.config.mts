import { defineConfig } from 'vitest/config';

/** One project per layer; the real-n8n layers share one n8n and so run one file after the other. */
const layer = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
	test: { name, include, ...options },
});

/** What the files of a layer import, n8n's engine above all, is loaded once for each worker. */
const quickRuns = { testTimeout: 30_000, isolate: false, maxWorkers: '100%' };

const realN8n = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 1_200_000 };

/** Thousands of messages or events, on machines of any speed. */
const longRuns = { ...realN8n, testTimeout: 600_000 };

/** One n8n for all files of these projects in a run; `startPlayground` joins it. */
const sharedN8n = { ...realN8n, globalSetup: ['test/e2e/globalSetup.ts'] };

const { TEST_REPORT: outputFile } = process.env;

/** For `.ci/again`, which reads there what failed. */
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
			layer('e2e', ['test/e2e/**/*.test.ts'], sharedN8n),
			layer('examples', ['test/examples/**/*.test.ts'], sharedN8n),
			layer('browser', ['test/browser/**/*.test.ts'], sharedN8n),
			layer('queue', ['test/queue/**/*.test.ts'], longRuns),
			layer('faults', ['test/faults/**/*.test.ts'], longRuns),
			layer('security', ['test/security/**/*.test.ts'], realN8n),
			layer('soak', ['test/soak/**/*.test.ts'], longRuns),
		],
	},
});
