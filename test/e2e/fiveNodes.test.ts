/** A safe campaign of five nodes, as somebody builds it alone: opt-outs, contacts, the send, and a result in each row. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { sevenOptOuts, sixtyRows, theirSpellings } from '../fixtures/sixtyRows.ts';
import { projectFiles } from '../helpers/projectFiles.ts';
import { type Changes, makeFiveNodes } from './fiveNodes.ts';
import { startPlayground, type Playground } from './harness.ts';
import { workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, balance: 1_000_000 };

let playground: Playground;
let five: Awaited<ReturnType<typeof makeFiveNodes>>;

beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => {
	await playground.control.reset(settings);
	five = await makeFiveNodes(playground);
});
afterAll(async () => {
	await five.removeTables();
	await playground.stop();
});

const people = sixtyRows.map(({ phone, name }) => ({
	phone: phone === null ? null : String(phone),
	name,
}));
const blocked = theirSpellings;

describe('the five nodes', () => {
	it('send to everybody once who has not opted out, and note a result in every row', async () => {
		await five.fill(people, blocked);
		const id = await five.save();
		const { status, error } = await five.run(id);
		expect(error?.message).toBeUndefined();
		expect(status).toBe('success');
		expect(await five.outcomes()).toEqual({ sent: 26, skipped: 10, alreadySent: 1, notSent: 23 });
		const messages = await playground.control.accepted();
		expect(messages).toHaveLength(26);
		const sentTo = new Set(messages.map(({ recipient }) => recipient));
		expect(sentTo.size).toBe(26);
		for (const number of sevenOptOuts) expect(sentTo).not.toContain(number);
		const first = await five.rows();
		for (const { outcome, reason, message_id: messageId } of first) {
			if (outcome === 'sent') expect(messageId).toEqual(expect.any(String));
			else expect(reason).toEqual(expect.any(String));
		}

		// A second run sends nothing, and no row loses its ID; two new rows get a message each.
		await five.run(id);
		expect(await playground.control.accepted()).toHaveLength(26);
		expect((await five.rows()).map(({ message_id: messageId }) => messageId)).toEqual(
			first.map(({ message_id: messageId, outcome }) =>
				outcome === 'alreadySent' ? expect.anything() : messageId,
			),
		);
		await five.fill(
			[
				{ phone: '61491579001', name: 'New' },
				{ phone: '61491579002', name: 'Newer' },
			],
			[],
		);
		await five.run(id);
		expect(await playground.control.accepted()).toHaveLength(28);
	});

	it('leave out landlines with Mobile Numbers Only', async () => {
		await five.fill(people, blocked);
		await five.run(await five.save({ limits: { mobileOnly: true } }));
		expect(await five.outcomes()).toEqual({ sent: 24, skipped: 12, alreadySent: 1, notSent: 23 });
	});

	it('send the same 26 in one request, in bulk', async () => {
		await five.fill(people, blocked);
		const bulk = {
			resource: 'bulkSms',
			recipients: '={{ $json.phone }}',
			message: 'We have moved',
		};
		const { error } = await five.run(await five.save({ operation: bulk }));
		expect(error?.message).toBeUndefined();
		expect(await playground.control.requests({ method: 'POST' })).toHaveLength(1);
		expect(await five.outcomes()).toEqual({ sent: 26, skipped: 10, alreadySent: 1, notSent: 23 });
	});

	it('send nothing while nobody was imported, and say what to do', async () => {
		await five.fill(people.slice(0, 3), []);
		const { status, error } = await five.run(await five.save());
		expect(status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toContain('Allow Empty List');
		expect(await playground.control.accepted()).toHaveLength(0);
		await five.run(await five.save({ limits: { allowEmptyList: true } }));
		expect((await playground.control.accepted()).length).toBeGreaterThan(0);
	});

	it.each([
		[
			'a misspelled column',
			{
				limits: {
					blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.mobile) }}",
				},
			},
		],
		['Return All turned off', { optOuts: { returnAll: false, limit: 1 } }],
		[
			'a row dragged from the panel',
			{ limits: { blockedRecipients: "={{ $('Get opt-outs').item.json.phone }}" } },
		],
		[
			'a node that is not there',
			{ limits: { blockedRecipients: "={{ $('Opt-outs').all().map((row) => row.json.phone) }}" } },
		],
	] satisfies Array<[string, Changes]>)('send nothing after %s', async (_, changes) => {
		await five.fill(people, blocked);
		const { status, error } = await five.run(await five.save(changes));
		expect(status).toBe('error');
		expect(error?.message).toContain('Blocked Recipients');
		expect(await playground.control.accepted()).toHaveLength(0);
	});
});

describe('the five nodes that a reader of docs/campaigns.md pastes', () => {
	const text = (...columns: string[]) => columns.map((name) => ({ name, type: 'string' }));
	const removeTables = async () => {
		for (const name of ['contacts', 'opt-outs']) await playground.rest.deleteDataTable(name);
	};
	beforeEach(removeTables);
	afterAll(removeTables);

	type Pasted = Pick<Workflow, 'nodes' | 'connections'>;
	type SendSms = Record<'options' | 'limits', Record<string, unknown>>;

	/** The IDs of the tables that the reader selects, by the node's name. */
	const tables: Record<string, string> = {};

	/** As it is after the reader has opened Send SMS, which selects the credentials, and has filled it in. */
	const pasted = (changes: object, withoutOptions: string[] = []): Workflow => {
		const page = projectFiles('docs', 'campaigns.md')['docs/campaigns.md'] ?? '';
		const block = /```json\n([^`]*)```/.exec(page)?.[1] ?? '';
		const { nodes, connections } = JSON.parse(block) as Pasted;
		const filledIn = (node: WorkflowNode): WorkflowNode => {
			if ('dataTableId' in node.parameters) {
				const dataTableId = { __rl: true, mode: 'list', value: tables[node.name] };
				return { ...node, parameters: { ...node.parameters, dataTableId } };
			}
			if (node.name !== 'Send SMS') return node;
			const { credentials } = playground.kudosity({});
			const { options, limits } = node.parameters as SendSms;
			const left = Object.entries({ ...options, campaignName: 'we-moved-2027' }).filter(
				([name]) => !withoutOptions.includes(name),
			);
			const always = { from: '00:00', to: '23:59', days: [1, 2, 3, 4, 5, 6, 7] };
			const sendingHours = { window: { ...always, timeZone: 'Australia/Sydney' } };
			const parameters = {
				...node.parameters,
				options: Object.fromEntries(left),
				limits: { ...limits, sendingHours },
				...changes,
			};
			return { ...node, credentials, parameters };
		};
		const withIds = nodes.map((node) => ({ ...filledIn(node), id: randomUUID() }));
		return { ...workflow({ nodes: withIds, connections }), pinData: {} };
	};

	it('are a dry run until that is removed, and need a sender and a campaign name', async () => {
		const { rest, control } = playground;
		const columns = text('phone', 'name', 'outcome', 'reason');
		const contacts = await rest.createDataTable('contacts', columns);
		const optOuts = await rest.createDataTable('opt-outs', text('phone'));
		Object.assign(tables, { 'Get opt-outs': optOuts });
		Object.assign(tables, { 'Get contacts': contacts, 'Update row': contacts });
		await rest.insertDataTableRows('contacts', people as never);
		await rest.insertDataTableRows(
			'opt-outs',
			blocked.map((phone) => ({ phone })),
		);
		const { id } = await playground.save(pasted({}));
		// n8n 1 refuses it by itself.
		const unfinished = await rest.run(id).catch((error: unknown) => ({ error: error as Error }));
		expect(unfinished.error?.message).toMatch(/Sender|has issues/);

		const sender = { __rl: true, mode: 'number', value: '61491570006' };
		await rest.updateWorkflow(id, pasted({ sender }));
		const dryRun = await rest.run(id);
		expect(dryRun.error?.message).toBeUndefined();
		expect(dryRun.nodes['Send SMS']?.hints.join()).toContain('24 ready to send');
		expect(await control.accepted()).toHaveLength(0);

		await rest.updateWorkflow(id, pasted({ sender }, ['dryRun']));
		expect((await rest.run(id)).status).toBe('success');
		expect(await control.accepted()).toHaveLength(24);
		const rows = await rest.dataTableRows('contacts');
		const outcomes = rows.map(({ outcome }) => outcome);
		expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(24);
		expect(outcomes).not.toContain(null);
		await rest.run(id);
		expect(await control.accepted()).toHaveLength(24);

		const empty = { options: { campaignName: ' ', defaultCountry: 'AU' }, sender };
		await rest.updateWorkflow(id, pasted(empty));
		expect((await rest.run(id)).error?.message).toContain('Campaign Name');
	});
});
