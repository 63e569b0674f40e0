import { randomUUID } from 'node:crypto';
import type { DataTableRow } from '../../playground/n8n/rest/dataTables.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import type { Playground } from './harness.ts';
import { manualTrigger, node, workflow } from './workflow.ts';

const text = (...columns: string[]) => columns.map((name) => ({ name, type: 'string' }));

/** What somebody sets otherwise in the five nodes. */
export type Changes = {
	/** Of Send SMS. */
	options?: object;
	limits?: object;
	operation?: object;
	settings?: object;
	/** Parameters of Get opt-outs. */
	optOuts?: object;
	/** Parameters of Get contacts. */
	contacts?: object;
};

/**
 * A safe campaign of five nodes, as somebody builds it alone: opt-outs, contacts, the send, and a result in each row.
 * The tables are empty.
 */
export async function makeFiveNodes({ rest, kudosity, ...playground }: Playground) {
	const ids: Record<string, string> = {};
	// Test files share one n8n.
	const mark = randomUUID().slice(0, 8);
	const contacts = `Five nodes contacts ${mark}`;
	const optOuts = `Five nodes opt-outs ${mark}`;
	const removeTables = async () => {
		for (const name of [contacts, optOuts]) await rest.deleteDataTable(name);
	};
	ids[contacts] = await rest.createDataTable(contacts, [
		...text('phone', 'name', 'outcome', 'reason', 'message_id'),
		{ name: 'can_retry', type: 'boolean' },
	]);
	ids[optOuts] = await rest.createDataTable(optOuts, text('phone'));

	const table = (name: string, parameters: object, more: object = {}): WorkflowNode =>
		node({
			type: 'n8n-nodes-base.dataTable',
			parameters: {
				resource: 'row',
				dataTableId: { __rl: true, mode: 'id', value: ids[name] },
				...parameters,
			},
			...more,
		});

	const updateRow = (): WorkflowNode => {
		const value = {
			outcome: '={{ $json.result.outcome }}',
			reason: '={{ $json.result.reason }}',
			message_id: '={{ $json.result.messageId ?? $json.message_id }}',
			can_retry: '={{ $json.result.canRetry }}',
		};
		const schema = Object.keys(value).map((id) => ({
			type: id === 'can_retry' ? 'boolean' : 'string',
			id,
			displayName: id,
			display: true,
		}));
		return table(
			contacts,
			{
				operation: 'update',
				filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: '={{ $json.id }}' }] },
				columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
			},
			{ name: 'Update row' },
		);
	};

	const campaign = (changes: Changes = {}) =>
		workflow({
			nodes: [
				manualTrigger(),
				table(
					optOuts,
					{ operation: 'get', returnAll: true, ...changes.optOuts },
					{ name: 'Get opt-outs', alwaysOutputData: true },
				),
				table(
					contacts,
					{ operation: 'get', returnAll: true, ...changes.contacts },
					{ name: 'Get contacts', executeOnce: true },
				),
				kudosity(
					{
						resource: 'sms',
						operation: 'send',
						sender: 'Acme',
						recipient: '={{ $json.phone }}',
						message: '=Hi {{ $json.name || "there" }}, we have moved. Opt out: [opt-out-link]',
						output: 'itemResult',
						...changes.operation,
						options: {
							campaignName: 'we-moved-2027',
							defaultCountry: 'AU',
							requestsPerSecond: 500,
							...changes.options,
						},
						limits: {
							blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}",
							...changes.limits,
						},
					},
					{ name: 'Send SMS', ...changes.settings },
				),
				updateRow(),
			],
		});

	const rows = async () => await rest.dataTableRows(contacts);
	return {
		/** Enters contacts, and the numbers of people who opted out. */
		fill: async (people: object[], blocked: string[]): Promise<void> => {
			await rest.insertDataTableRows(contacts, people as DataTableRow[]);
			if (blocked.length === 0) return;
			await rest.insertDataTableRows(
				optOuts,
				blocked.map((phone) => ({ phone })),
			);
		},
		/** Resolves to the ID of the workflow. */
		save: async (changes?: Changes): Promise<string> =>
			(await playground.save(campaign(changes))).id,
		change: async (id: string, changes: Changes): Promise<void> => {
			await rest.updateWorkflow(id, campaign(changes));
		},
		/** Resolves to its execution. */
		run: async (id: string) => {
			const execution = await rest.runWorkflow(id);
			return await rest.waitForExecution(execution, { statuses: ['success', 'error'] });
		},
		/** Of the contacts. */
		rows,
		/** How many rows have each outcome. */
		outcomes: async (): Promise<Record<string, number>> => {
			const counts: Record<string, number> = {};
			for (const { outcome } of await rows())
				counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
			return counts;
		},
		removeTables,
	};
}
