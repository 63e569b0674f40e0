import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, workflow } from './workflow.ts';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ ownN8n: {}, settings: { autoStatus: false } });
});
afterAll(async () => await playground.stop());

const items = Array.from({ length: 60 }, (_, index) => ({
	phone: String(61491000000 + index),
	order: `order-${index}`,
}));

it('sends each key once over a killed n8n and the run after its restart', async () => {
	const { n8n, control, rest } = playground;
	const node = playground.kudosity({
		resource: 'sms',
		operation: 'send',
		message: 'Your order is ready',
		sender: '61491570006',
		recipient: '={{ $json.phone }}',
		options: { sendOnceKey: '={{ $json.order }}' },
	});
	const { id } = await playground.save(workflow({ nodes: [manualTrigger(), node], items }));

	await rest.runWorkflow(id);
	await control.waitForMessages({}, { count: 20, timeoutMs: 20_000 });
	await n8n.current?.().kill();
	await n8n.restart?.();
	const before = (await control.messages()).length;
	const { status, nodes } = await rest.run(id);

	const recipients = (await control.messages()).map(({ recipient }) => recipient);
	expect(status).toBe('success');
	expect(before).toBeLessThan(60);
	expect(new Set(recipients).size).toBe(recipients.length);
	// What the killed run had begun and not finished stays unsent: ten of a workflow at the most.
	const skipped = nodes.Kudosity?.items.filter(({ json }) => json.skipped).length ?? 0;
	expect(recipients.length - before).toBe(60 - skipped);
	expect(skipped - before).toBeLessThanOrEqual(10);
});
