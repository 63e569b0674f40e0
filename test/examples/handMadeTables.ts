import { oldestN8n } from '../../playground/n8n/versions.ts';
import type { Rest } from '../../playground/n8n/rest.ts';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { tableMadeBy } from '../helpers/exampleFiles.ts';

/** Has the name of the node that it replaces, and the output that others look at. */
const naming = (node: WorkflowNode, id: string): WorkflowNode => ({
	...node,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: { assignments: [{ id: node.id, name: 'id', value: id, type: 'string' }] },
		options: {},
	},
});

/** What a user of n8n 1 does, where no node makes a table: see docs/compatibility.md. */
export const withHandMadeTables = async (
	rest: Rest,
	nodes: WorkflowNode[],
): Promise<WorkflowNode[]> => {
	if (process.env.KUDOSITY_N8N_VERSION !== oldestN8n) return nodes;
	const ids = new Map<string, string>();
	const changed: WorkflowNode[] = [];
	for (const node of nodes) {
		const table = tableMadeBy(node);
		if (!table) {
			changed.push(node);
			continue;
		}
		const id = ids.get(table.name) ?? (await rest.createDataTable(table.name, table.columns));
		ids.set(table.name, id);
		changed.push(naming(node, id));
	}
	return changed;
};
