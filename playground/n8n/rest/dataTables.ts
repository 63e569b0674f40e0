import { z } from 'zod/v4';
import type { Session } from './session.ts';

const tableSchema = z.looseObject({ id: z.string(), name: z.string(), projectId: z.string() });
const tableColumnSchema = z.looseObject({ id: z.string(), name: z.string() });
const createdSchema = z.looseObject({ id: z.string() });
const tablesSchema = z.looseObject({ data: z.array(tableSchema) });
const rowsSchema = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });

/** Page size limit of n8n 1. */
const pageSize = 50;

export type DataTableRow = Record<string, unknown>;

/** n8n's Data Tables, which exist in n8n 2 and later releases of n8n 1. */
export const dataTableCalls = ({ call }: Session) => {
	const findTable = async (name: string) => {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const { data } = await call('GET', `/data-tables-global?filter=${filter}`, tablesSchema);
		// n8n's search finds every table whose name contains the text.
		return data.find((candidate) => candidate.name === name);
	};

	const findTablePath = async (name: string): Promise<string | undefined> => {
		const table = await findTable(name);
		return table && `/projects/${table.projectId}/data-tables/${table.id}`;
	};

	const requireTablePath = async (name: string): Promise<string> => {
		const path = await findTablePath(name);
		if (path === undefined) throw new Error(`There is no data table "${name}"`);
		return path;
	};

	return {
		/** Creates a table in the user's personal project, unless it is there, and resolves to its ID. */
		createDataTable: async (
			name: string,
			columns: Array<{ name: string; type: string }>,
		): Promise<string> => {
			const table = await findTable(name);
			if (table) return table.id;
			const project = await call('GET', '/projects/personal', createdSchema);
			const path = `/projects/${project.id}/data-tables`;
			return (await call('POST', path, createdSchema, { name, columns })).id;
		},

		/** In place of one of this name. */
		addDataTableColumn: async (table: string, name: string, type = 'string'): Promise<void> => {
			const path = `${await requireTablePath(table)}/columns`;
			const columns = await call('GET', path, z.array(tableColumnSchema));
			const former = columns.find((column) => column.name === name);
			if (former) await call('DELETE', `${path}/${former.id}`, z.unknown());
			await call('POST', path, z.unknown(), { name, type });
		},

		/** Rows, oldest first. Empty while the table does not exist. */
		dataTableRows: async (name: string): Promise<DataTableRow[]> => {
			const path = await findTablePath(name);
			const rows: DataTableRow[] = [];
			for (let more = path !== undefined; more; ) {
				const query = `take=${pageSize}&skip=${rows.length}&sortBy=id:asc`;
				const { data } = await call('GET', `${path}/rows?${query}`, rowsSchema);
				rows.push(...data);
				more = data.length === pageSize;
			}
			return rows;
		},

		insertDataTableRows: async (name: string, rows: DataTableRow[]): Promise<void> => {
			const path = await requireTablePath(name);
			await call('POST', `${path}/insert`, z.unknown(), { data: rows, returnType: 'count' });
		},

		/** Updates all rows, or the one with this ID. */
		updateDataTableRows: async (name: string, data: DataTableRow, id?: number): Promise<void> => {
			const condition = id === undefined ? 'gt' : 'eq';
			const filters = [{ columnName: 'id', condition, value: id ?? 0 }];
			const filter = { type: 'and', filters };
			await call('PATCH', `${await requireTablePath(name)}/rows`, z.unknown(), { filter, data });
		},

		/** Does nothing if the table does not exist. */
		deleteDataTable: async (name: string): Promise<void> => {
			const path = await findTablePath(name);
			if (path !== undefined) await call('DELETE', path, z.unknown());
		},
	};
};
