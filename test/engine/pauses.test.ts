import { expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';

const service = useEmulator();

it('takes the pauses of the nodes off these tests, and keeps them in what the nodes see of time', async () => {
	await service.fault('status429', { count: 2 }, { retryAfter: 60 });
	const startedAt = performance.now();
	const { json } = await runKudosity({
		parameters: { resource: 'number', operation: 'getAll', returnAll: true },
		credentials: service.credentials,
	});

	expect(json.length).toBeGreaterThan(0);
	expect(performance.now() - startedAt).toBeGreaterThanOrEqual(120_000);
	expect(await service.control.requests()).toHaveLength(3);
});
