import { format, resolveConfig } from 'prettier';
import { KudosityBasicApi } from '../../credentials/KudosityBasicApi.credentials.ts';
import { KudosityKeyApi } from '../../credentials/KudosityKeyApi.credentials.ts';
import { Kudosity } from '../../nodes/Kudosity/Kudosity.node.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
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

const operations = /(<!-- operations: [^\n]*-->\n)[^]*?(<!-- \/operations -->)/;

/** The readme with its table of operations as the registry has them, formatted like the rest. */
export const withCurrentTables = async (readme: string, path: string): Promise<string> => {
	const table = `\n${operationsTable(resources, names)}\n\n`;
	const updated = readme.replace(
		operations,
		(_, begin: string, end: string) => begin + table + end,
	);
	return await format(updated, { ...(await resolveConfig(path)), parser: 'markdown' });
};
