import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { installDeduplicationStore } from './harness.ts';
import { useRealPauses } from './pauses.ts';

useRealPauses();
const service = useEmulator();
const store = installDeduplicationStore();
beforeAll(async () => await store.install());
beforeEach(() => store.entries.clear());

const phones = Array.from({ length: 20 }, (_, index) => `614915701${index + 10}`);
const parameters = {
	message: 'Hello',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
	options: { requestsPerSecond: 20, sendOnceKey: '={{ $json.phone }}' },
};
const items = phones.map((phone) => ({ phone }));

const run = async (settings = {}, onStart?: (stop: () => void) => void) =>
	await service.run('sms/send', parameters, { items, settings, onStart });

it('sends nothing twice when it is stopped in the middle and run again', async () => {
	await service.control.addFault({ fault: 'slow', delayMs: 300, match: { count: 'forever' } });
	let stop = () => {};
	const running = run(
		{ retryOnFail: true, maxTries: 5, waitBetweenTries: 1, onError: 'continueRegularOutput' },
		(stopExecution) => {
			stop = stopExecution;
		},
	);
	await service.control.waitForMessages({}, { count: 3 });
	stop();
	expect((await running).run.status).toBe('canceled');
	const requested = (await service.control.requests({ path: '/v2/sms' })).length;
	expect(requested).toBeLessThan(phones.length);

	await service.control.clearFaults();
	const { json } = await run();
	expect(json).toHaveLength(phones.length);
	expect(json.filter(({ skipped }) => skipped).length).toBeGreaterThanOrEqual(requested);
	const recipients = (await service.control.messages()).map(({ recipient }) => recipient);
	expect(new Set(recipients).size).toBe(recipients.length);
	expect(recipients).toContain(phones.at(-1));
});
