import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { campaignTable, sendingNow } from '../examples/campaignNodes.ts';
import { readExample } from '../examples/readExample.ts';
import { startPlayground, type Playground } from './harness.ts';

let playground: Playground;
beforeAll(async () => {
	const settings = { autoStatus: false, requestsPerSecond: 0 };
	playground = await startPlayground({ ownN8n: {}, settings });
});
afterAll(async () => await playground.stop());

const contacts = Array.from({ length: 150 }, (_, index) => ({
	phone: String(61491000000 + index),
	first_name: `Sam ${index}`,
	time_zone: 'UTC',
}));

let id = '';
beforeEach(async () => {
	const { rest, control } = playground;
	await control.reset({ autoStatus: false, requestsPerSecond: 0 });
	await rest.deleteDataTable(campaignTable);
	const workflow = await readExample(playground, 'campaign.json', sendingNow);
	({ id } = await playground.save(workflow));
	await rest.run(id);
	await rest.insertDataTableRows(campaignTable, contacts);
});

const recipients = async () =>
	(await playground.control.messages()).map(({ recipient }) => recipient);

it('goes on after a kill, and sends nobody twice', { timeout: 400_000 }, async () => {
	const { n8n, control, rest } = playground;
	// Each answer takes a while, so that some messages are on their way when n8n is killed.
	await control.settings({ latencyMs: 200 });
	await rest.runWorkflow(id);
	await control.waitForMessages({}, { count: 60, timeoutMs: 120_000 });
	await n8n.current?.().kill();
	await n8n.restart?.();
	const before = (await recipients()).length;
	const again = await rest.runWorkflow(id);
	const { status } = await rest.waitForExecution(again, { timeoutMs: 200_000 });

	expect(status).toBe('success');
	expect(before).toBeLessThan(contacts.length);
	expect((await recipients()).sort()).toEqual(contacts.map(({ phone }) => phone));
	const rows = await rest.dataTableRows(campaignTable);
	const messages = await control.messages();
	const idsByReference = Object.fromEntries(messages.map((sms) => [sms.message_ref, sms.id]));
	expect(rows.map(({ state }) => state)).toEqual(contacts.map(() => 'sent'));
	expect(rows.map(({ message_id }) => message_id)).toEqual(
		rows.map(({ ref }) => idsByReference[String(ref)]),
	);
	// Only those in doubt are asked for.
	const asked = await control.requests({ method: 'GET', path: '/v2/sms' });
	expect(asked.length).toBeGreaterThan(0);
	expect(asked.length).toBeLessThanOrEqual(50);
});
