import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { now, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';
import { useWebhook } from './useWebhook.ts';

const optOuts = 'Kudosity opt-outs';
const [customer, leaving, other] = ['61491571266', '61491573770', '61491570158'] as const;
const file = 'wait-for-daytime.json';
const minuteMs = 60_000;

/** Longer than n8n waits in memory. */
const leastWaitMs = 75_000;

/** Hours that begin after one to three minutes. */
const soon = () => {
	const beginsMs = Math.ceil((Date.now() + leastWaitMs) / minuteMs) * minuteMs;
	const allDay = now();
	const { timeZone } = allDay;
	const from = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(beginsMs);
	return { beginsMs, window: { ...allDay, from } };
};

// It waits for about two minutes.
describe.runIf(runsAll)('wait-for-daytime.json', () => {
	let beginsMs = 0;
	const { example, post } = useWebhook(file, 'Order ready', (node: WorkflowNode) => {
		if (node.name !== 'Send SMS') return node;
		const { window, ...hours } = soon();
		beginsMs = hours.beginsMs;
		return withOptions(node, { sendingHours: { window } });
	});

	it(
		'sends when the hours begin, and not to somebody who opts out during the wait',
		{ timeout: 5 * minuteMs },
		async () => {
			await example.withTables({ [optOuts]: [{ phone: other }] });
			for (const phone of [customer, leaving]) expect(await post({ phone })).toBe(200);
			const statuses = async () => (await example.listed()).map(({ status }) => status);
			await expect.poll(statuses, { timeout: minuteMs }).toEqual(['waiting', 'waiting']);
			expect(await example.control.messages()).toEqual([]);
			await example.insert(optOuts, [{ phone: leaving }]);
			await expect
				.poll(statuses, { timeout: 4 * minuteMs, interval: 1000 })
				.toEqual(['success', 'success']);

			expect(Date.now()).toBeGreaterThanOrEqual(beginsMs);
			const messages = await example.control.messages();
			expect(messages.map(({ recipient }) => recipient)).toEqual([customer]);
			for (const { nodes } of await example.executions(2))
				expect(nodes['Get opt-outs']?.runs).toBe(2);
		},
	);
});

describe('wait-for-daytime.json, with a list that cannot be read', () => {
	const example = useExample({ file, publish: false });

	it('does not wait, and says why', async () => {
		await example.withTables({ [optOuts]: [{ phone: '61491570156;' }] });
		const { status, error } = await example.run();

		expect([status, error?.message]).toEqual([
			'error',
			expect.stringMatching(/Blocked Recipients/),
		]);
	});
});
