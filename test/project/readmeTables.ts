import { format, resolveConfig } from 'prettier';
import { KudosityBasicApi } from '../../credentials/KudosityBasicApi.credentials.ts';
import { KudosityKeyApi } from '../../credentials/KudosityKeyApi.credentials.ts';
import { Kudosity } from '../../nodes/Kudosity/Kudosity.node.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { eventOptions } from '../../nodes/Kudosity/trigger/events.ts';
import { markdownTable } from './markdownTable.ts';
import { operationsTable } from './operationsTable.ts';

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

const tables = {
	operations: operationsTable(resources, names),
	events: eventsTable(),
};

const withTable = (readme: string, [name, table]: [string, string]): string => {
	const place = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[^]*?(<!-- /${name} -->)`);
	if (!place.test(readme)) throw new Error(`The readme has no place for the table "${name}"`);
	return readme.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
};

/** The readme with its tables as the code has them, formatted like the rest. */
export const withCurrentTables = async (readme: string, path: string): Promise<string> =>
	await format(Object.entries(tables).reduce(withTable, readme), {
		...(await resolveConfig(path)),
		parser: 'markdown',
	});
