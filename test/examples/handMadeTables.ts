import { oldestN8n } from '../../playground/n8n/versions.ts';
import type { Rest } from '../../playground/n8n/rest.ts';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';

type Columns = Array<{ name: string; type: string }>;

const makesTable = ({ type, parameters }: WorkflowNode): boolean =>
	type === 'n8n-nodes-base.dataTable' && parameters.resource === 'table';

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
		if (!makesTable(node)) {
			changed.push(node);
			continue;
		}
		const name = String(node.parameters.tableName);
		const { column } = node.parameters.columns as { column: Columns };
		const id = ids.get(name) ?? (await rest.createDataTable(name, column));
		ids.set(name, id);
		changed.push(naming(node, id));
	}
	return changed;
};
