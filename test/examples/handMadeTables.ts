import type { Rest } from '../../playground/n8n/rest/index.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
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

/** Makes the tables that the nodes make at the first run, if missing; resolves to their ids, by the name in the nodes. */
export const makeTables = async (
	rest: Rest,
	nodes: WorkflowNode[],
	rename = (name: string) => name,
): Promise<Map<string, string>> => {
	const ids = new Map<string, string>();
	for (const table of nodes.map(tableMadeBy)) {
		if (!table || ids.has(table.name)) continue;
		ids.set(table.name, await rest.createDataTable(rename(table.name), table.columns));
	}
	return ids;
};

/** What a user of n8n 1 does, where no node makes a table: see examples/n8n-1.md. */
export const withHandMadeTables = async (
	rest: Rest,
	nodes: WorkflowNode[],
): Promise<WorkflowNode[]> => {
	const ids = await makeTables(rest, nodes);
	return nodes.map((node) => {
		const table = tableMadeBy(node);
		return table ? naming(node, String(ids.get(table.name))) : node;
	});
};
