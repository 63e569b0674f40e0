/** n8n is killed while it sends, or registers a webhook: nobody gets a message twice, and no webhook is lost. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { contactsTable, optOutsTable, sending } from '../examples/campaignNodes.ts';
import { makeTables } from '../../playground/n8n/tables.ts';
import { readExample } from '../examples/readExample.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import { once, receiveEvent, triggerWorkflow } from './triggerWorkflow.ts';
import { manualTrigger, workflow } from './workflow.ts';

/** How soon n8n takes up again what it was publishing when it was killed: two minutes by default. */
const quickRecovery = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};
const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };

let playground: Playground;
let n8n: TestN8n;
beforeAll(async () => {
	playground = await startPlayground({ ownN8n: { environment: quickRecovery } });
	n8n = playground.n8n as TestN8n;
});
beforeEach(async () => void (await playground.control.reset(settings)));
afterAll(async () => await playground.stop());

const killAndRestart = async () => {
	await n8n.current().kill();
	await n8n.restart();
};

const phones = (count: number) =>
	Array.from({ length: count }, (_, index) => `${61491000000 + index}`);

const recipients = async () =>
	(await playground.control.messages()).map(({ recipient }) => recipient);

// In n8n 1, every night: a campaign has the same store of keys as the next test.
it.runIf(isCurrent || runsAll)(
	'a campaign goes on, and sends nobody twice',
	{ timeout: 400_000 },
	async () => {
		const { control, rest } = playground;
		const contacts = phones(150).map((phone) => ({ phone, first_name: 'Sam' }));
		const example = await readExample(playground, 'campaign.json', sending());
		const { id } = await playground.save(example);
		await makeTables(example.nodes, { rest });
		await rest.insertDataTableRows(optOutsTable, [{ phone: '61491570313' }]);
		await rest.insertDataTableRows(contactsTable, contacts);
		// Each answer takes a while, so that some messages are on their way when n8n is killed.
		await control.settings({ latencyMs: 200 });
		await rest.runWorkflow(id);
		await control.waitForMessages({}, { count: 60, timeoutMs: 120_000 });
		await killAndRestart();
		const before = (await recipients()).length;
		const again = await rest.runWorkflow(id);
		const { status, error } = await rest.waitForExecution(again, { timeoutMs: 200_000 });

		expect([status, error]).toEqual(['success', undefined]);
		expect(before).toBeLessThan(contacts.length);
		const all = await recipients();
		expect(new Set(all).size).toBe(all.length);
		// What the killed run had begun and not finished stays unsent: ten messages of a workflow at the most.
		expect(all.length).toBeGreaterThanOrEqual(contacts.length - 10);
		const rows = await rest.dataTableRows(contactsTable);
		const outcomeOf = (phone: unknown) => rows.find((row) => row.phone === phone)?.outcome;
		for (const { phone } of contacts) expect(outcomeOf(phone)).toMatch(/^(sent|alreadySent)$/);
	},
);

it('each Deduplication Key is sent once, over the killed run and the next', async () => {
	const { control, rest } = playground;
	const items = phones(60).map((phone) => ({ phone, order: `order ${phone}` }));
	const node = playground.kudosity({
		resource: 'sms',
		operation: 'send',
		message: 'Your order is ready',
		sender: '61491570006',
		recipient: '={{ $json.phone }}',
		options: { deduplicationKey: '={{ $json.order }}' },
	});
	const { id } = await playground.save(workflow({ nodes: [manualTrigger(), node], items }));

	await rest.runWorkflow(id);
	await control.waitForMessages({}, { count: 20 });
	await killAndRestart();
	const before = (await recipients()).length;
	const { status, nodes } = await rest.run(id);

	const all = await recipients();
	expect(status).toBe('success');
	expect(before).toBeLessThan(items.length);
	expect(new Set(all).size).toBe(all.length);
	// What the killed run had begun and not finished stays unsent: ten of a workflow at the most.
	const skipped =
		nodes.Kudosity?.items.filter(({ json }) => json.code === 'already_messaged').length ?? 0;
	expect(all.length - before).toBe(items.length - skipped);
	expect(skipped - before).toBeLessThanOrEqual(10);
});

it('a webhook that was registered and not yet stored works, and is found again', async () => {
	const { control, rest } = playground;
	const { id } = await playground.save(triggerWorkflow(playground, { events: ['OPT_OUT'] }));
	await control.addFault({
		fault: 'timeoutAfterAcceptance',
		match: { method: 'POST', path: '/v2/webhook' },
	});
	const activation = rest.activate(id).catch(() => 'broken off');
	await control.waitForWebhooks({});
	await n8n.current().kill();
	expect(await activation).toBe('broken off');
	const [webhook] = await control.webhooks();

	await n8n.restart();
	expect(await receiveEvent(playground, id)).toEqual(once);
	await rest.activate(id);
	expect(await control.webhooks()).toMatchObject([{ id: webhook?.id }]);
	expect(await receiveEvent(playground, id)).toEqual(once);

	await rest.deactivate(id);
	expect(await control.webhooks()).toEqual([]);
	await rest.activate(id);
	expect(await control.webhooks()).toHaveLength(1);
	expect(await receiveEvent(playground, id)).toEqual(once);
});
