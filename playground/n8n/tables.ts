import { z } from 'zod/v4';
import type { DataTableRow } from './rest/dataTables.ts';
import type { Rest } from './rest/index.ts';
import type { WorkflowNode } from './rest/workflows.ts';

const tableSchema = z
	.object({
		tableName: z.string(),
		columns: z.object({ column: z.array(z.object({ name: z.string(), type: z.string() })) }),
	})
	.transform(({ tableName, columns }) => ({ name: tableName, columns: columns.column }));

/** The data table that the node creates; undefined for any other node. */
export const tableMadeBy = ({ type, parameters }: WorkflowNode) =>
	type === 'n8n-nodes-base.dataTable' && parameters.resource === 'table'
		? tableSchema.parse(parameters)
		: undefined;

type MakeTables = {
	rest: Rest;
	/** The name of a table here, by its name in the nodes. */
	rename?: (name: string) => string;
	/** What a new table has in it, by its name in the nodes. */
	rows?: Record<string, DataTableRow[]>;
};

/** Makes the tables that the nodes make at the first run, if missing; resolves to their ids, by the name in the nodes. */
export const makeTables = async (
	nodes: WorkflowNode[],
	{ rest, rename = (name) => name, rows = {} }: MakeTables,
): Promise<Map<string, string>> => {
	const ids = new Map<string, string>();
	for (const table of nodes.map(tableMadeBy)) {
		if (!table || ids.has(table.name)) continue;
		const name = rename(table.name);
		ids.set(table.name, await rest.createDataTable(name, table.columns));
		const some = rows[table.name] ?? [];
		if (some.length > 0 && (await rest.dataTableRows(name)).length === 0)
			await rest.insertDataTableRows(name, some);
	}
	return ids;
};

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

/** What a user of n8n 1 does, where no node makes a table: see examples/n8n-1.md. */
export const withHandMadeTables = (
	nodes: WorkflowNode[],
	ids: ReadonlyMap<string, string>,
): WorkflowNode[] =>
	nodes.map((node) => {
		const table = tableMadeBy(node);
		return table ? naming(node, String(ids.get(table.name))) : node;
	});
