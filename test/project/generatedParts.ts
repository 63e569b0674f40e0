import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { KudosityBasicApi } from '../../credentials/KudosityBasicApi.credentials.ts';
import { KudosityKeyApi } from '../../credentials/KudosityKeyApi.credentials.ts';
import { Kudosity } from '../../nodes/Kudosity/Kudosity.node.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { triggerEventOptions } from '../../nodes/Kudosity/trigger/fields.ts';
import { properties as triggerProperties } from '../../nodes/Kudosity/trigger/panel.ts';
import { documents, generatedPart } from '../helpers/documents.ts';
import { columnsTable, tableNodesTable } from './dataTables.ts';
import { errorCodesTable } from './errorCodes.ts';
import { featuredTable } from './featured.ts';
import { gallery } from './gallery.ts';
import { markdownTable } from './markdownTable.ts';
import { operationsTable, resourcesTable } from './operationsTable.ts';
import { triggerOptionsTable } from './triggerOptions.ts';

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
		triggerEventOptions.map(({ name, value, description }) => [name, `\`${value}\``, description]),
	);

/** What stands between `<!-- name: … -->` and `<!-- /name -->`. */
const parts: Record<string, () => string> = {
	featured: featuredTable,
	gallery: () => gallery(names),
	resources: () => resourcesTable(resources),
	operations: () => operationsTable(resources, names),
	events: eventsTable,
	'event-names': () => triggerEventOptions.map(({ name }) => name).join(' · '),
	'trigger-options': () => triggerOptionsTable(triggerProperties),
	'error-codes': errorCodesTable,
	'data-tables': columnsTable,
	'table-nodes': tableNodesTable,
};

const partOf = (name: string): string => {
	const part = parts[name];
	if (!part) throw new Error(`Nothing writes the part "${name}"`);
	return part();
};

/** The documents with parts that follow from the code, or from the examples. */
export const filesWithParts = Object.keys(documents).filter((file) =>
	documents[file]!.match(generatedPart),
);

/** The text of a file with its parts as the code has them, formatted like the rest. */
export const withCurrentParts = async (text: string, file: string): Promise<string> =>
	await format(
		text.replace(
			generatedPart,
			(_, name: string) =>
				`<!-- ${name}: made by \`npm run generate\` -->\n\n${partOf(name)}\n\n<!-- /${name} -->`,
		),
		{
			...(await resolveConfig(resolve(import.meta.dirname, '../..', file))),
			parser: 'markdown',
		},
	);
