import { randomUUID } from 'node:crypto';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import type { Playground } from './harness.ts';
import { condition, manualTrigger, node, workflow } from './workflow.ts';

export const [ana, ben, cleo] = ['61491570006', '61491570156', '61491571266'];

/** A node that returns these rows, or what its code does. */
export const rowsNode = (name: string, rows: object[] | string, more: object = {}) =>
	node({
		...{ name, type: 'n8n-nodes-base.code', typeVersion: 2, ...more },
		parameters: { jsCode: typeof rows === 'string' ? rows : `return ${JSON.stringify(rows)}` },
	});

export const loopNode = (name = 'Loop', reset?: string): WorkflowNode =>
	node({
		...{ name, type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
		parameters: { batchSize: 1, options: { reset } },
	});

export const isBen = (name: string): WorkflowNode =>
	node({
		...{ name, type: 'n8n-nodes-base.if', typeVersion: 2.2 },
		parameters: condition('={{ $json.phone }}', { type: 'string', operation: 'equals' }, ben),
	});

export const hasNoPhone = node({
	...{ name: 'Has no phone', type: 'n8n-nodes-base.if', typeVersion: 2.2 },
	parameters: condition('={{ $json.phone }}', {
		...{ type: 'string', operation: 'empty', singleValue: true },
	}),
});

/** A node, or one of its inputs. */
export type Target = string | [name: string, input: number];
export type Connections = Record<string, Target[][]>;

const targetOf = (target: Target) => {
	const [name, index] = typeof target === 'string' ? [target, 0] : target;
	return { node: name, type: 'main', index };
};

/** Connects the trigger with the nodes `before` and then a loop, which the nodes `inside` lead back to. */
export const loopThrough = (before: string[], inside: string[]): Connections => {
	const all = ['Start', ...before, 'Loop', ...inside];
	return Object.fromEntries(
		all.map((name, index) => {
			const next = [all[index + 1] ?? 'Loop'];
			return [name, name === 'Loop' ? [[], next] : [next]];
		}),
	);
};

/** What the tests do with the playground of their file, which starts later. */
export const onPlayground = (get: () => Playground) => {
	const runAll = async (id: string) =>
		await get().rest.waitForExecution(await get().rest.runWorkflow(id), {
			statuses: ['success', 'error'],
		});
	return {
		runAll,

		/** Runs these nodes behind the trigger, one after the other or as they are connected. */
		runNodes: async (nodes: WorkflowNode[], connections?: Connections) => {
			const { id } = await get().save(
				workflow({
					nodes: [manualTrigger(), ...nodes],
					connections:
						connections &&
						Object.fromEntries(
							Object.entries(connections).map(([name, outputs]) => [
								name,
								{ main: outputs.map((targets) => targets.map(targetOf)) },
							]),
						),
				}),
			);
			return await runAll(id);
		},

		/** A node that reads a data table with one column. */
		tableNode: async (name: string, phones: string[], more: object = {}) => {
			const table = `${name} ${randomUUID()}`;
			const id = await get().rest.createDataTable(table, [{ name: 'phone', type: 'string' }]);
			const rows = phones.map((phone) => ({ phone }));
			await get().rest.insertDataTableRows(table, rows);
			const dataTableId = { __rl: true, mode: 'id', value: id };
			return node({
				...{ name, type: 'n8n-nodes-base.dataTable', typeVersion: 1 },
				parameters: { resource: 'row', operation: 'get', returnAll: true, dataTableId },
				...more,
			});
		},

		/** A node that sends to each item, without a list of opt-outs. */
		sendNode: (fields: object = {}): WorkflowNode =>
			get().kudosity(
				{
					...{ resource: 'sms', operation: 'send', sender: 'Acme', message: 'Hi' },
					recipient: '={{ $json.phone }}',
					...fields,
				},
				{ name: 'Send' },
			),

		sentTo: async () => (await get().control.accepted()).map(({ recipient }) => recipient),
		sentTexts: async () => (await get().control.accepted()).map(({ text }) => text),
	};
};
