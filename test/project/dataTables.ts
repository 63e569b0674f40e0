import { tableMadeBy } from '../../playground/n8n/tables.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { markdownTable } from './markdownTable.ts';

const made = Object.entries(exampleFiles).flatMap(([file, { nodes }]) =>
	nodes.flatMap((node) => {
		const table = tableMadeBy(node);
		return table ? [{ file, node: node.name, table }] : [];
	}),
);

const columnTypes = ['string', 'number', 'boolean', 'date'];

/** What n8n's editor calls a column's type. */
const shownType = (type: string): string => (type === 'date' ? 'datetime' : type);

/** Each Data Table of the examples with its columns by their type. */
export const columnsTable = (): string => {
	const tables = new Map(made.map(({ table }) => [table.name, table.columns]));
	return markdownTable(
		['Data table', ...columnTypes.map((type) => `Columns of type ${shownType(type)}`)],
		[...tables].sort().map(([name, columns]) => [
			name,
			...columnTypes.map((type) =>
				columns
					.filter((column) => column.type === type)
					.map((column) => `\`${column.name}\``)
					.join(', '),
			),
		]),
	);
};

/** Each node of the examples that makes a Data Table. */
export const tableNodesTable = (): string =>
	markdownTable(
		['File', 'Node', 'Data table'],
		made.map(({ file, node, table }) => [`\`${file}\``, node, table.name]),
	);
