import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';
import { useRealPauses } from './pauses.ts';
import { createTrigger } from './triggerNode.ts';

useRealPauses();
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

	/** Two runs that are slow by choice, and one as fast as the account allows, with work for a minute. */
	const keepBusy = async () => {
		const speeds = [0.4, 1.4, 14];
		const stops: Array<() => void> = [];
		const runs = speeds.map(async (requestsPerSecond, index) => {
			await runKudosity({
				parameters: { ...parameters, options: { requestsPerSecond } },
				credentials: service.credentials,
				items: itemsFrom(100 + index * 300, requestsPerSecond === 14 ? 300 : 120),
				onStart: (stop) => stops.push(stop),
			});
		});
		await service.control.waitForMessages({}, { count: 20 });
		return async () => {
			for (const stop of stops) stop();
			await Promise.all(runs);
		};
	};

	const secondsOf = async (task: () => Promise<unknown>): Promise<number> => {
		const begunMs = performance.now();
		await task();
		return (performance.now() - begunMs) / 1000;
	};

	it('does not let one workflow wait for the items of others, and stays below the limit', async () => {
		const stop = await keepBusy();
		const send = await secondsOf(async () => {
			const options = { parameters, credentials: service.credentials };
			const { json } = await runKudosity({ ...options, items: itemsFrom(999, 1) });
			expect(json).toHaveLength(1);
		});
		const trigger = await createTrigger({ credentials: service.credentials });
		const publishing = await secondsOf(trigger.activate);
		await stop();

		expect(await service.control.webhooks()).toHaveLength(1);
		expect(await service.control.requests({ status: 429 })).toEqual([]);
		// Both waited for 50 s and more while all items of a run stood in one line with them.
		expect(send).toBeLessThan(1);
		expect(publishing).toBeLessThan(3);
	});
});
