import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';

const service = useEmulator({ requestsPerSecond: 15 });

const parameters = {
	resource: 'sms',
	operation: 'send',
	message: 'Hello',
	sender: 'Acme',
	recipient: '=61491570{{ $json.n }}',
	options: {},
};
const itemsFrom = (first: number, length: number) =>
	Array.from({ length }, (_, index) => ({ n: String(first + index) }));

describe('pacing', () => {
	it('stays below the limit of the account with two executions at once', async () => {
		const runs = [itemsFrom(100, 20), itemsFrom(200, 20)].map(
			async (items) => await runKudosity({ parameters, credentials: service.credentials, items }),
		);
		const results = await Promise.all(runs);

		expect(results.map(({ json }) => json.length)).toEqual([20, 20]);
		const requests = await service.control.requests({ path: '/v2/sms' });
		expect(requests.map(({ status }) => status)).toEqual(Array(40).fill(200));
	});

	it('keeps the order of the items although answers overtake each other', async () => {
		await service.control.addFault({
			fault: 'slow',
			delayMs: 400,
			match: { bodyIncludes: '61491570301', count: 1 },
		});
		const items = itemsFrom(300, 6);
		const { items: output } = await runKudosity({
			parameters,
			credentials: service.credentials,
			items,
		});

		expect(output.map(({ json }) => json.recipient)).toEqual(items.map(({ n }) => `61491570${n}`));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});

	it('stops at once when the user stops the execution', async () => {
		let stop = () => {};
		const running = runKudosity({
			parameters,
			credentials: service.credentials,
			items: itemsFrom(100, 300),
			onStart: (stopExecution) => {
				stop = stopExecution;
			},
		});
		await service.control.waitForMessages({}, { count: 5 });
		stop();
		const { run } = await running;

		expect(run.status).toBe('canceled');
		const sent = (await service.control.messages()).length;
		expect(sent).toBeLessThan(30);
	});
});
