import { defineConfig } from 'vitest/config';

/** One project per layer; the real-n8n layers share one n8n and so run one file after the other. */
const layer = (name: string, include: string[], options: Record<string, unknown> = {}) => ({
	test: { name, include, ...options },
});

const realN8n = { fileParallelism: false, testTimeout: 120_000, hookTimeout: 1_200_000 };

export default defineConfig({
	test: {
		reporters: ['default'],
		projects: [
			layer('unit', ['test/{nodes,credentials,playground,project}/**/*.test.ts', 'test/*.test.ts']),
			layer('engine', ['test/engine/**/*.test.ts'], { testTimeout: 30_000 }),
			layer('e2e', ['test/e2e/**/*.test.ts'], realN8n),
			layer('examples', ['test/examples/**/*.test.ts'], realN8n),
			layer('browser', ['test/browser/**/*.test.ts'], realN8n),
			layer('queue', ['test/queue/**/*.test.ts'], realN8n),
			layer('faults', ['test/faults/**/*.test.ts'], realN8n),
			layer('soak', ['test/soak/**/*.test.ts'], realN8n),
		],
	},
});
