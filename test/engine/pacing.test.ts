import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { useRealPauses } from './pauses.ts';
import { createTrigger } from './triggerNode.ts';

useRealPauses();
const service = useEmulator({ requestsPerSecond: 15 });

const itemsFrom = (first: number, length: number) =>
	Array.from({ length }, (_, index) => ({ phone: `61491570${first + index}` }));

const send = async (items: object[], options: object = {}, stopWhen?: () => Promise<unknown>) =>
	await service.sms(items, options, { stopWhen });

const sent = async () => (await service.control.messages()).length;

describe('pacing', () => {
	it('stays below the limit of the account with two executions at once', async () => {
		const results = await Promise.all([send(itemsFrom(100, 20)), send(itemsFrom(200, 20))]);

		expect(results.map(({ json }) => json.length)).toEqual([20, 20]);
		const requests = await service.control.requests({ path: '/v2/sms' });
		expect(requests.map(({ status }) => status)).toEqual(Array(40).fill(200));
	});

	it('keeps the order of the items although answers overtake each other', async () => {
		await service.fault('slow', { bodyIncludes: '61491570301' }, { delayMs: 400 });
		const items = itemsFrom(300, 6);
		const { items: output } = await send(items);

		expect(output.map(({ json }) => json.recipient)).toEqual(items.map(({ phone }) => phone));
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	});

	it('stops at once when the user stops the execution', async () => {
		const stopWhen = async () => await service.control.waitForMessages({}, { count: 5 });
		const { run } = await send(itemsFrom(100, 300), {}, stopWhen);

		expect(run.status).toBe('canceled');
		expect(await sent()).toBeLessThan(30);
	});

	/** Two runs that are slow by choice, and one as fast as the account allows, with work for a minute. */
	const keepBusy = async () => {
		let stop = () => {};
		const stopped = new Promise<void>((resolve) => (stop = resolve));
		const runs = [0.4, 1.4, 14].map(async (requestsPerSecond, index) => {
			const items = itemsFrom(100 + index * 300, requestsPerSecond === 14 ? 300 : 120);
			return await send(items, { requestsPerSecond }, async () => await stopped);
		});
		await service.control.waitForMessages({}, { count: 20 });
		return async () => {
			stop();
			await Promise.all(runs);
		};
	};

	it('does not let one workflow wait for the items of others, and stays below the limit', async () => {
		const stop = await keepBusy();
		const before = await sent();
		const { json } = await send(itemsFrom(999, 1));
		const between = await sent();
		const trigger = await createTrigger({ credentials: service.credentials });
		await trigger.activate();
		const after = await sent();
		await stop();

		expect(json).toHaveLength(1);
		expect(await service.control.webhooks()).toHaveLength(1);
		expect(await service.control.requests({ status: 429 })).toEqual([]);
		// Not all that others still have to send, which would stand before them in one line.
		expect(between - before).toBeLessThan(10);
		expect(after - between).toBeLessThan(20);
	});
});
