/** Max per Day in n8n's own database: what a day has used is known after a restart, and found out quickly. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import { manualTrigger, workflow } from './workflow.ts';

const max = 5_000;
/** Half of a day's messages in one go would be one answer that n8n reads for long. */
const perRun = 2_500;
/** Trying one entry after the other would take 25 minutes. */
const busyMs = 10_000;

let playground: Playground;
let n8n: TestN8n;
beforeAll(async () => {
	playground = await startPlayground({ ownN8n: {} });
	n8n = playground.n8n as TestN8n;
	await playground.control.reset({ requestsPerSecond: 0, autoStatus: false });
});
afterAll(async () => await playground.stop());

it('the last message of a day, and the first one too many, are decided in seconds after a restart', async () => {
	const { control, rest } = playground;
	const node = playground.kudosity({
		resource: 'bulkSms',
		operation: 'send',
		output: 'raw',
		message: 'Hello',
		sender: 'Acme',
		recipients: '={{ $json.to }}',
		limits: { maxPerDay: max },
	});
	const start = manualTrigger();
	const made = (to: string[]) => workflow({ nodes: [start, node], items: [{ to }] });
	const { id } = await playground.save(made([]));
	const send = async (from: number, count: number) => {
		const to = Array.from({ length: count }, (_, index) => String(61_491_000_000 + from + index));
		await rest.updateWorkflow(id, made(to));
		const { status, error, nodes } = await rest.run(id);
		const { items = [], startedAtMs = NaN, tookMs = NaN } = nodes.Kudosity ?? {};
		const [request] = (await control.requests({ path: '/send-sms.json' })).slice(-1);
		const sentMs = Date.parse(String(request?.at)) - startedAtMs;
		return { status, error, recipients: items[0]?.json.recipients, tookMs, sentMs };
	};
	for (let from = 0; from < max - 1; from += perRun) {
		const count = Math.min(perRun, max - 1 - from);
		expect(await send(from, count)).toMatchObject({ recipients: count });
	}
	const messages = async () => (await control.messages()).length;
	const before = await messages();

	await n8n.restart();
	const last = await send(max, 1);
	expect(last).toMatchObject({ status: 'success', recipients: 1 });
	await n8n.restart();
	const tooMany = await send(max + 1, 1);
	console.info(
		`Max per Day after a restart: sent after ${last.sentMs} ms (the node took ${last.tookMs}); refused after ${tooMany.tookMs} ms`,
	);
	expect(tooMany.status).toBe('error');
	expect(tooMany.error?.message).toContain(`'Max per Day' is ${max}`);
	expect(await messages()).toBe(before + 1);
	// Two seconds on a machine that is not busy; the engine's test has that limit, by the nodes' own clock.
	expect(last.sentMs).toBeLessThan(busyMs);
	expect(tooMany.tookMs).toBeLessThan(busyMs);
});
