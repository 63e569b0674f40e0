import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import { once, receiveEvent, triggerWorkflow } from './triggerWorkflow.ts';

/** How soon n8n takes up again what it was publishing when it was killed: two minutes by default. */
const quickRecovery = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '15',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

let playground: Playground;
let n8n: TestN8n;
beforeAll(async () => {
	const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };
	playground = await startPlayground({ ownN8n: { environment: quickRecovery }, settings });
	n8n = playground.n8n as TestN8n;
});
afterAll(async () => await playground.stop());

const receive = async (id: string) => await receiveEvent(playground, id);

it('n8n killed between registering and storing: its webhook works, and is found again', async () => {
	const { id } = await playground.save(triggerWorkflow(playground, { events: ['OPT_OUT'] }));
	await playground.control.addFault({
		fault: 'timeoutAfterAcceptance',
		match: { method: 'POST', path: '/v2/webhook' },
	});
	const activation = playground.rest.activate(id).catch(() => 'broken off');
	await playground.control.waitForWebhooks({}, { timeoutMs: 15_000 });
	await n8n.current().kill('SIGKILL');
	expect(await activation).toBe('broken off');
	const [webhook] = await playground.control.webhooks();

	await n8n.restart();
	expect(await receive(id)).toEqual(once);
	await playground.rest.activate(id);
	expect(await playground.control.webhooks()).toMatchObject([{ id: webhook?.id }]);
	expect(await receive(id)).toEqual(once);

	await playground.rest.deactivate(id);
	expect(await playground.control.webhooks()).toEqual([]);
	await playground.rest.activate(id);
	expect(await playground.control.webhooks()).toHaveLength(1);
	expect(await receive(id)).toEqual(once);
});
