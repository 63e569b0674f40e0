import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useEmulator } from '../engine/emulator.ts';
import { installDeduplicationStore, runKudosity } from '../engine/harness.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const executions = 200;

const service = useEmulator();
const store = installDeduplicationStore();
beforeAll(async () => await store.install());
beforeEach(() => store.entries.clear());

const messages = {
	resource: 'sms',
	operation: 'send',
	message: 'Hello',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
};
const settings = {
	onError: 'continueRegularOutput',
	retryOnFail: true,
	waitBetweenTries: 1,
} as const;

const runOnce = async (execution: number) => {
	const items = [0, 1, 2].map((item) => ({
		phone: String(61_491_000_000 + 10 * execution + item),
	}));
	// One item in three is refused or of unknown outcome; a few have a key.
	await service.control.clearFaults();
	await service.control.addFault({
		fault: execution % 2 ? 'status403' : 'status500AfterAcceptance',
		match: { bodyIncludes: items[1]!.phone },
	});
	const deduplicationKey = execution % 20 === 0 ? '={{ $json.phone }}' : '';
	const { run, json } = await runKudosity({
		parameters: { ...messages, options: { deduplicationKey }, limits: { requestsPerSecond: 500 } },
		credentials: service.credentials,
		items,
		settings,
	});
	return [run, run.data, ...json].map((object) => new WeakRef<object>(object));
};

it('keeps no execution, no answer and no timer once an execution is over', async () => {
	await runOnce(0);
	const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
	const references: Array<WeakRef<object>> = [];
	for (let execution = 1; execution <= executions; execution++) {
		references.push(...(await runOnce(execution)));
	}
	// The last ones may still be on their way out.
	await new Promise((resolve) => setImmediate(resolve));
	collectGarbage();

	const kept = references.filter((reference) => reference.deref() !== undefined);
	expect(references.length).toBeGreaterThan(3 * executions);
	expect(kept.length).toBeLessThanOrEqual(2 * 5);
	const timersAfter = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
	expect(timersAfter.length).toBeLessThanOrEqual(timersBefore.length + 2);
});
