import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { KudosityBasicApi } from '../../credentials/KudosityBasicApi.credentials.ts';
import { KudosityKeyApi } from '../../credentials/KudosityKeyApi.credentials.ts';
import { Kudosity } from '../../nodes/Kudosity/Kudosity.node.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { eventOptions } from '../../nodes/Kudosity/fields/webhook.ts';
import { columnsTable, tableNodesTable } from './dataTables.ts';
import { markdownTable } from './markdownTable.ts';
import { operationsTable, resourcesTable } from './operationsTable.ts';

const names = {
	description: new Kudosity().description,
	credentialTitles: Object.fromEntries(
		[new KudosityBasicApi(), new KudosityKeyApi()].map(({ name, displayName }) => [
			name,
			displayName,
		]),
	),
};

const eventsTable = (): string =>
	markdownTable(
		['Event', 'In the data', 'Happens when'],
		eventOptions.map(({ name, value, description }) => [name, `\`${value}\``, description]),
	);

/** The files with tables that follow from the code, or from the examples. */
export const filesWithTables = [
	'README.md',
	'docs/operations.md',
	'docs/compatibility.md',
] as const;

const tables: Record<(typeof filesWithTables)[number], Record<string, string>> = {
	'README.md': { resources: resourcesTable(resources, names), events: eventsTable() },
	'docs/operations.md': { operations: operationsTable(resources, names) },
	'docs/compatibility.md': { 'data-tables': columnsTable(), 'table-nodes': tableNodesTable() },
};

const withTable = (text: string, [name, table]: [string, string]): string => {
	const place = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[^]*?(<!-- /${name} -->)`);
	if (!place.test(text)) throw new Error(`There is no place for the table "${name}"`);
	return text.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
};

/** The text of a file with its tables as the code has them, formatted like the rest. */
export const withCurrentTables = async (
	text: string,
	file: (typeof filesWithTables)[number],
): Promise<string> =>
	await format(Object.entries(tables[file]).reduce(withTable, text), {
		...(await resolveConfig(resolve(import.meta.dirname, '../..', file))),
		parser: 'markdown',
	});
