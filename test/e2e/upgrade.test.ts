/**
 * What an n8n has from an earlier release goes on after an update: n8n stopped, the package replaced, n8n
 * started. Each release is added to `test/fixtures/releases` when it is made.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import type { SavedWorkflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import { executionIds, once, publish, receiveEvent, triggerWorkflow } from './triggerWorkflow.ts';
import { manualTrigger, noOperation, workflow } from './workflow.ts';

const folder = resolve(import.meta.dirname, '../fixtures/releases');
const releases = readdirSync(folder).filter((name) => name.endsWith('.tgz'));

const sender = '61491570156';
const contact = '61491573770';

/** Each with fields and options that a release could read differently from the one before. */
const nodesOf = ({ kudosity }: Playground): WorkflowNode[] => {
	const from = (resource: string, operation: string, fields: object) =>
		kudosity(
			{ resource, operation, ...fields },
			{ name: `${resource}/${operation}`, executeOnce: true },
		);
	return [
		from('sms', 'send', {
			message: '={{ $json.text }}',
			sender,
			recipient: '={{ $json.phone }}',
			options: { messageRef: 'order-7', defaultCountry: 'AU' },
			limits: { maxParts: 2 },
		}),
		from('bulkSms', 'send', {
			message: 'Closed today',
			sender,
			recipients: `${contact}, ${sender}`,
		}),
		from('mms', 'send', {
			subject: 'Open again',
			message: 'Come in',
			sender,
			recipient: contact,
			contentUrl: 'https://shop.example.com/door.jpg',
		}),
		from('list', 'getAll', { limit: 2 }),
		from('number', 'getAll', { returnAll: true }),
	];
};

/** A message to each of two people, and as many a day: a second campaign has to wait until tomorrow. */
const campaignOf = ({ kudosity }: Playground, campaignName: string) => {
	const send = kudosity(
		{
			...{ resource: 'sms', operation: 'send', output: 'itemResult' },
			...{ message: 'Open again', sender, recipient: '={{ $json.phone }}' },
			options: { campaignName },
			limits: { maxPerDay: 2, blockedRecipients: 'NZ', mobileOnly: true },
		},
		// Max per Day counts for each node ID.
		{ id: 'send', name: 'Send' },
	);
	const items = ['61491570006', '61491571266'].map((phone) => ({ phone }));
	return workflow({ nodes: [manualTrigger(), send], items });
};

const resultsOf = ({ nodes }: Execution) =>
	nodes.Send?.items.map(({ json }) => {
		const { outcome, code } = json.result as Record<string, unknown>;
		return [outcome, code];
	});

const withoutVariables = ({ status, nodes }: Execution) => ({
	status,
	outputs: Object.entries(nodes).map(([name, { items }]) => [
		name,
		items.map(({ json }) => Object.keys(json).sort()),
	]),
});

describe.each(releases)('an update from %s', (release) => {
	let playground: Playground;
	let n8n: TestN8n;
	let saved: SavedWorkflow;
	let before: Execution;
	let published: Awaited<ReturnType<typeof publish>>;
	let filtered: typeof published;
	let question: string;
	let campaign: SavedWorkflow;
	let sent: ReturnType<typeof resultsOf>;

	const optOuts = async () => (await executionIds(playground, published.id)).length;

	beforeAll(async () => {
		playground = await startPlayground({
			ownN8n: { release: join(folder, release) },
			settings: { autoStatus: false, retryDelaysMs: Array(60).fill(1_000) as number[] },
		});
		n8n = playground.n8n as TestN8n;
		const items = [{ text: 'On its way', phone: '0491 573 770' }];
		const nodes = [manualTrigger(), ...nodesOf(playground)];
		saved = await playground.save(workflow({ nodes, items }));
		before = await playground.rest.run(saved.id);
		published = await publish(playground, triggerWorkflow(playground, { events: ['OPT_OUT'] }));
		// A release may have registered two webhooks for it, one of them for the statuses.
		const events = ['OPT_OUT', 'SMS_STATUS'];
		const fields = { events, options: { onlyFinalStatuses: true } };
		filtered = await publish(playground, triggerWorkflow(playground, fields));

		const ask = playground.kudosity(
			{
				resource: 'sms',
				operation: 'sendAndWait',
				message: 'Yes or no?',
				sender,
				recipient: contact,
				responseType: 'approval',
			},
			{ name: 'Ask' },
		);
		const asking = await playground.save(
			workflow({ nodes: [manualTrigger(), ask, noOperation('After')], items: [{}] }),
		);
		question = await playground.rest.runWorkflow(asking.id);
		await playground.rest.waitForExecution(question, { statuses: ['waiting'] });

		campaign = await playground.save(campaignOf(playground, 'autumn'));
		sent = resultsOf(await playground.rest.run(campaign.id));

		await n8n.update(async () => {
			await playground.control.emit({ event_type: 'OPT_OUT' });
			await playground.control.waitForDeliveries({});
		});
	});
	afterAll(async () => await playground.stop());

	it('runs a workflow that was saved before, with the same outputs', async () => {
		expect(before.status).toBe('success');
		const after = await playground.rest.run(saved.id);
		expect(withoutVariables(after)).toEqual(withoutVariables(before));
	});

	it('sends nobody a campaign again, and goes on counting the messages of the day', async () => {
		expect(sent).toEqual(Array(2).fill(['sent', null]));
		const again = resultsOf(await playground.rest.run(campaign.id));
		expect(again).toEqual(Array(2).fill(['alreadySent', 'already_messaged']));

		await playground.rest.updateWorkflow(campaign.id, campaignOf(playground, 'winter'));
		const next = resultsOf(await playground.rest.run(campaign.id));
		expect(next).toEqual(Array(2).fill(['notSent', 'limit_reached']));
	});

	it('loses no event that came while n8n was down', async () => {
		await playground.control.waitForDeliveries({ ok: true });
		// A starting n8n may answer so late that the event is delivered twice.
		await expect.poll(optOuts, { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
	});

	it('goes on with a trigger that was published before, and removes its webhook in the end', async () => {
		expect(await receiveEvent(playground, published.id)).toEqual(once);
		await playground.rest.deactivate(published.id);
		const ids = (await playground.control.webhooks()).map(({ id }) => id);
		expect(ids).not.toContain(published.webhook.id);
	});

	it('has one webhook for filtered statuses beside other events, once it is published again', async () => {
		const { pathname } = new URL(filtered.webhook.url);
		const urls = async () => (await playground.control.webhooks()).map(({ url }) => url);
		const own = async () => (await urls()).filter((url) => new URL(url).pathname === pathname);
		expect(await receiveEvent(playground, filtered.id)).toEqual(once);
		await playground.rest.deactivate(filtered.id);
		expect(await own()).toEqual([]);
		await playground.rest.activate(filtered.id);
		expect(await own()).toHaveLength(1);
		expect(await receiveEvent(playground, filtered.id)).toEqual(once);
	});

	it('hears the answer to a question that was asked before', async () => {
		await playground.control.inbound({ from: contact, to: sender, text: 'Yes' });
		const { status, nodes } = await playground.rest.waitForExecution(question);
		expect(status).toBe('success');
		expect(nodes.After?.items[0]?.json).toMatchObject({ replied: true, approved: true, contact });
	});
});
