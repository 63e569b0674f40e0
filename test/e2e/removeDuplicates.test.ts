/** n8n's Remove Duplicates: what it does to events, and to the keys that share its store. Engine tests have our part. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { until } from '../../playground/n8n/until.ts';
import type { SavedWorkflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { type EventType, maxDeduplicationKeys } from '../seams.ts';
import { startPlayground, type Playground } from './harness.ts';
import { publish, triggerName, triggerWorkflow } from './triggerWorkflow.ts';
import { manualTrigger, node, noOperation, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => {
	await playground.deactivateAll();
	await playground.control.reset(settings);
});
afterAll(async () => await playground.stop());

const isFull = /exceeds the maximum history size/;

function removeDuplicates(parameters: object, name = 'Remove Duplicates'): WorkflowNode {
	const type = 'n8n-nodes-base.removeDuplicates';
	return node({ type, name, typeVersion: 2, parameters: { ...parameters } });
}

/** Compares a value with those of earlier executions. */
const seenBefore = (dedupeValue: string, options: object = {}) => ({
	operation: 'removeItemsSeenInPreviousExecutions',
	...{ logic: 'removeItemsWithAlreadySeenKeyValues', dedupeValue, options },
});

describe.runIf(runsAll)('behind the trigger', () => {
	/** Publishes the trigger with this node behind it. */
	const publishWith = async (...nodes: WorkflowNode[]) => {
		const draft = triggerWorkflow(playground);
		const all = [...draft.nodes, ...nodes, noOperation('Passed')];
		return await publish(playground, workflow({ name: draft.name, nodes: all }));
	};
	const emit = async (event_type: EventType) => {
		const { deliveries } = await playground.control.emit({ event_type, wait: true });
		expect(deliveries).toMatchObject([{ status: 200 }]);
	};
	const passed = (executions: Execution[]) =>
		executions.filter(({ nodes }) => (nodes.Passed?.items.length ?? 0) > 0).length;

	it('fails at events that lack one of the fields that it compares', async () => {
		const fieldsToCompare = 'eventType, messageId, contact, status, url, hits, timestamp';
		const compare = { operation: 'removeDuplicateInputItems', compare: 'selectedFields' };
		const { id } = await publishWith(removeDuplicates({ ...compare, fieldsToCompare }));
		const events = ['SMS_INBOUND', 'OPT_OUT', 'LINK_HIT', 'SMS_STATUS'] as const;
		for (const event of events) await emit(event);
		const executions = await playground.rest.waitForExecutions(id, 4);

		expect(executions.map(({ status }) => status)).toEqual(Array(4).fill('error'));
		for (const { error } of executions) {
			expect(error?.message).toMatch(/^'(status|url)' field is missing from some input items$/);
		}
	});

	it('lets repeats pass, since each event is an execution of its own', async () => {
		const fieldsToCompare = 'eventType, messageId, contact';
		const compare = { operation: 'removeDuplicateInputItems', compare: 'selectedFields' };
		await playground.control.settings({ duplicateEvents: true });
		const { id } = await publishWith(removeDuplicates({ ...compare, fieldsToCompare }));
		await playground.control.emit({ event_type: 'SMS_INBOUND', wait: true });

		expect(passed(await playground.rest.waitForExecutions(id, 2))).toBe(2);
	});

	it('fails at every event for good once its history is full, after n8n has answered 200', async () => {
		const value = '={{ $json.eventType }} {{ $json.messageId }} {{ $json.timestamp }}';
		const node = removeDuplicates(seenBefore(value, { historySize: 3 }));
		const { id } = await publishWith(node);
		for (let event = 1; event <= 5; event++) {
			await emit('OPT_OUT');
			await playground.rest.waitForExecutions(id, event);
		}
		const executions = await playground.rest.waitForExecutions(id, 5);

		expect(passed(executions)).toBe(3);
		for (const { status, error, nodes } of executions.slice(3)) {
			expect([status, error?.message]).toEqual(['error', expect.stringMatching(isFull)]);
			expect(nodes[triggerName]?.items).toHaveLength(1);
		}
	});

	it('is not needed where a row is written by its message: a repeat writes the same row', async () => {
		const columns = ['messageId', 'contact', 'text'];
		const table = `Repeats ${playground.emulator.port}`;
		const tableId = await playground.rest.createDataTable(
			table,
			columns.map((name) => ({ name, type: 'string' })),
		);
		const schema = columns.map((id) => ({ id, displayName: id, type: 'string', display: true }));
		const valueOf = (name: string) => `={{ $json.${name} }}`;
		const upsert = node({
			...{ name: 'Upsert', type: 'n8n-nodes-base.dataTable' },
			parameters: {
				...{ resource: 'row', operation: 'upsert', matchType: 'allConditions' },
				dataTableId: { __rl: true, mode: 'id', value: tableId },
				filters: {
					conditions: ['messageId', 'contact'].map((keyName) => ({
						...{ keyName, condition: 'eq', keyValue: valueOf(keyName) },
					})),
				},
				columns: {
					mappingMode: 'defineBelow',
					value: Object.fromEntries(columns.map((name) => [name, valueOf(name)])),
					...{ matchingColumns: [], schema },
				},
				options: {},
			},
		});
		await playground.control.settings({ duplicateEvents: true });
		const { id } = await publishWith(upsert);
		await playground.control.emit({ event_type: 'SMS_INBOUND', count: 2, wait: true });
		const executions = await playground.rest.waitForExecutions(id, 4);

		expect(executions.map(({ status }) => status)).toEqual(Array(4).fill('success'));
		expect(await playground.rest.dataTableRows(table)).toHaveLength(2);
	});
});

describe.runIf(runsAll)('with Deduplication Keys, which share its store of scope Workflow', () => {
	const main = (name: string) => [{ node: name, type: 'main', index: 0 }];
	const numbered = (index: number) => ({ key: `key-${index}`, phone: String(61491000000 + index) });
	/** Of the campaign that comes when the store has room for it alone. */
	const [first, last] = [1_000, 1_999];
	/** Beside the keys, the store has room for what the node notes while it claims them. */
	const room = maxDeduplicationKeys + 1_000;

	/** A start with a Code node of its own that outputs these items, in front of the node. */
	type Start = { from: number; to: number } | { items: object[] };

	const code = (start: Start): string =>
		'items' in start
			? `return ${JSON.stringify(start.items.map((json) => ({ json })))};`
			: `return Array.from({ length: ${start.to - start.from + 1} }, (_, index) => ({ json: { key: 'key-' + (index + ${start.from}), phone: String(61491000000 + index + ${start.from}) } }));`;

	const save = async (
		starts: Record<string, [node: string, start: Start]>,
		...others: WorkflowNode[]
	): Promise<SavedWorkflow> => {
		const send = playground.kudosity({
			...{ resource: 'bulkSms', operation: 'send', message: 'Hello', sender: 'Acme' },
			recipients: '={{ $json.phone }}',
			options: { deduplicationKey: '={{ $json.key }}' },
		});
		const nodes = [send, ...others];
		const connections: Record<string, unknown> = {};
		for (const [name, [target, start]] of Object.entries(starts)) {
			const jsCode = code(start);
			const source = node({
				...{ name: `${name} items`, type: 'n8n-nodes-base.code', typeVersion: 2 },
				parameters: { jsCode },
			});
			nodes.push({ ...manualTrigger(), name }, source);
			connections[name] = { main: [main(source.name)] };
			connections[source.name] = { main: [main(target)] };
		}
		return await playground.save(workflow({ nodes, connections: connections as never }));
	};

	/** Reads the execution only when it has ended, as one of many thousand items is large. */
	const run = async ({ id: workflowId }: SavedWorkflow, trigger: string): Promise<Execution> => {
		const { rest } = playground;
		const id = await rest.runWorkflow(workflowId, { trigger });
		const waiting = { what: `the end of ${trigger}`, timeoutMs: 300_000, intervalMs: 500 };
		await until(waiting, async () => {
			// n8n closes connections that waited while it was busy with many items.
			const executions = await rest.listExecutions({ workflowId }).catch(() => []);
			return executions.find((each) => each.id === id && /success|error/.test(each.status));
		});
		return await rest.readExecution(id);
	};
	/** Which of the items were skipped. */
	const skipped = ({ nodes }: Execution) =>
		nodes.Kudosity?.items.map(({ json }) => json.code === 'already_messaged');
	const hints = ({ nodes }: Execution) => nodes.Kudosity?.hints;

	it(
		'forgets the oldest keys alone, and then makes Remove Duplicates fail',
		{ timeout: 600_000 },
		async () => {
			const saved = await save(
				{
					'First keys': ['Kudosity', { from: 0, to: 99 }],
					'Other values': ['Large', { from: 100_000, to: 100_000 + room - 1_101 }],
					Campaign: ['Kudosity', { from: first, to: last }],
					'Campaign again': ['Kudosity', { from: last - 50, to: last }],
					Next: ['Kudosity', { from: last + 1, to: last + 10 }],
					'Later keys': ['Kudosity', { from: first, to: first + 50 }],
					'Default size': ['Remove Duplicates', { from: 20_000, to: 20_999 }],
					'Small size': ['Small', { items: [{ key: 'b' }] }],
					'Own scope': ['Of the node', { items: [{ key: 'c' }] }],
					'Clear node': ['Clear of the node', { items: [{}] }],
					Clear: ['Clear all', { items: [{}] }],
				},
				removeDuplicates(seenBefore('={{ $json.key }}', { scope: 'workflow' })),
				removeDuplicates(
					seenBefore('={{ $json.key }}', { scope: 'workflow', historySize: 100 }),
					'Small',
				),
				removeDuplicates(
					seenBefore('={{ $json.key }}', {
						...{ scope: 'workflow', historySize: 2 * maxDeduplicationKeys },
					}),
					'Large',
				),
				removeDuplicates(seenBefore('={{ $json.key }}'), 'Of the node'),
				removeDuplicates(
					{ operation: 'clearDeduplicationHistory', mode: 'cleanDatabase', options: {} },
					'Clear of the node',
				),
				removeDuplicates(
					{
						...{ operation: 'clearDeduplicationHistory', mode: 'cleanDatabase' },
						options: { scope: 'workflow' },
					},
					'Clear all',
				),
			);
			const almostFull = expect.stringMatching(/This workflow has used/);
			expect(hints(await run(saved, 'First keys'))).not.toContainEqual(almostFull);
			expect((await run(saved, 'Other values')).status).toBe('success');
			const campaign = await run(saved, 'Campaign');
			// The store is full. What the node notes while it claims keys takes the place of some of the first.
			expect(skipped(campaign)).toEqual(Array(1_000).fill(false));
			expect(hints(campaign)).toContainEqual(almostFull);
			expect(skipped(await run(saved, 'Campaign again'))).toEqual(Array(51).fill(true));

			// Remove Duplicates with scope Workflow fails, also with a smaller size, and no key is forgotten by that.
			for (const trigger of ['Default size', 'Small size']) {
				const { status, error } = await run(saved, trigger);
				expect([status, error?.message]).toEqual(['error', expect.stringMatching(isFull)]);
			}
			expect((await run(saved, 'Own scope')).status).toBe('success');

			// Ten more keys: of the older ones, only some of the first go.
			expect(skipped(await run(saved, 'Next'))).toEqual(Array(10).fill(false));
			expect(skipped(await run(saved, 'Later keys'))).toEqual(Array(51).fill(true));
			expect(skipped(await run(saved, 'Campaign again'))).toEqual(Array(51).fill(true));
			const forgotten = skipped(await run(saved, 'First keys'))?.filter((each) => !each).length;
			expect(forgotten).toBeGreaterThanOrEqual(5);
			expect(forgotten).toBeLessThan(60);

			expect((await run(saved, 'Clear node')).status).toBe('success');
			expect(skipped(await run(saved, 'Campaign again'))).toEqual(Array(51).fill(true));
			expect((await run(saved, 'Clear')).status).toBe('success');
			expect(skipped(await run(saved, 'Campaign again'))).toEqual(Array(51).fill(false));
			expect((await run(saved, 'Default size')).status).toBe('success');
		},
	);

	it(
		'gives up a key for each value of a Remove Duplicates node with a larger history',
		{ timeout: 600_000 },
		async () => {
			const values = { from: 20_000, to: 20_000 + room - 1 };
			const saved = await save(
				{
					First: ['Kudosity', { from: 0, to: 4 }],
					Values: ['Large', values],
					Next: ['Kudosity', { from: 5, to: 5 }],
				},
				removeDuplicates(
					seenBefore('={{ $json.key }}', {
						...{ scope: 'workflow', historySize: 2 * maxDeduplicationKeys },
					}),
					'Large',
				),
			);
			expect(skipped(await run(saved, 'First'))).toEqual(Array(5).fill(false));
			expect(skipped(await run(saved, 'First'))).toEqual(Array(5).fill(true));
			expect((await run(saved, 'Values')).nodes.Large?.items).toHaveLength(room);
			expect(skipped(await run(saved, 'Next'))).toEqual([false]);
			expect(skipped(await run(saved, 'First'))).toEqual(Array(5).fill(false));
		},
	);

	it('sends nothing where Remove Duplicates keeps a number or a date in the store', async () => {
		const saved = await save(
			{
				Number: ['Highest', { items: [{ key: 7 }] }],
				Send: ['Kudosity', { items: [numbered(1)] }],
				Clear: ['Clear all', { items: [{}] }],
			},
			removeDuplicates(
				{
					operation: 'removeItemsSeenInPreviousExecutions',
					...{ logic: 'removeItemsUpToStoredIncrementalKey' },
					incrementalDedupeValue: '={{ $json.key }}',
					options: { scope: 'workflow' },
				},
				'Highest',
			),
			removeDuplicates(
				{
					...{ operation: 'clearDeduplicationHistory', mode: 'cleanDatabase' },
					options: { scope: 'workflow' },
				},
				'Clear all',
			),
		);
		expect((await run(saved, 'Number')).status).toBe('success');
		const { error } = await run(saved, 'Send');
		expect(error?.message).toMatch(
			/^'Deduplication Key' could not be checked, so this message was not sent/,
		);
		expect((await run(saved, 'Clear')).status).toBe('success');
		expect(skipped(await run(saved, 'Send'))).toEqual([false]);
	});
});
