import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Kudosity } from '../seams.ts';
import { createControl } from '../../playground/emulator/control/client.ts';
import type { RunOperation as Run } from '../helpers/exampleFields.ts';
import { exampleRuns } from '../helpers/exampleRuns.ts';
import { schemaOf, widened } from '../helpers/jsonSchema.ts';
import { credentialsOf } from '../project/operationsTable.ts';
import { runOperation } from './emulator.ts';
import type { CredentialData } from './harness.ts';
import { questionRecords } from './questionRecords.ts';

const { description } = new Kudosity();

type Fields = Record<string, unknown>;

/** Runs an operation with only the credential that n8n asks for when the operation is chosen. */
const runWith =
	(credentials: CredentialData): Run =>
	async (name, fields) => {
		const [resource = '', operation = ''] = name.split('/');
		const types = credentialsOf(description, { resource, operation });
		const { json, error } = await runOperation(name, fields, {
			credentials: Object.fromEntries(types.map((type) => [type, credentials[type]!])),
		});
		if (error) {
			const remedy = 'If another operation has to run first, say so in preparedFields.ts';
			throw new Error(`${name}: ${error.message}. ${error.description ?? ''}. ${remedy}`);
		}
		return json;
	};

/** Whether it is a send, whose output can be chosen. */
const hasOutput = (name: string): boolean =>
	description.properties.some(({ name: field, displayOptions }) => {
		const { resource = [], operation = [] } = displayOptions?.show ?? {};
		return field === 'output' && name === `${String(resource[0])}/${String(operation[0])}`;
	});

const folder = resolve(import.meta.dirname, '../../nodes/Kudosity/__schema__/v1.0.0');

export type OutputSchemaFile = {
	path: string;
	/** As it is stored; undefined for a new operation. */
	stored: string | undefined;
	/** With all that comes out of the operation now. What came out elsewhere, or once, stays described. */
	current: string;
};

/** The output schema of an operation, kept true by what comes out of it against the emulator. */
export const outputSchemaFile = async (
	name: string,
	credentials: CredentialData,
): Promise<OutputSchemaFile> => {
	const run = runWith(credentials);
	const control = createControl(String(credentials.kudosityBasicApi?.baseUrl));
	const prepared = await exampleRuns(name, run, control);
	const records: Fields[] = [];
	const outputs = hasOutput(name) ? ['simplified', 'raw', 'itemResult'] : [undefined];
	for (const fields of prepared) {
		for (const output of outputs)
			records.push(...(await run(name, { ...fields, ...(output && { output }) })));
	}
	records.push(...((await questionRecords[name]?.(credentials)) ?? []));
	if (records.length === 0) throw new Error(`${name} gives nothing`);
	const path = join(folder, `${name}.json`);
	const stored = existsSync(path) ? await readFile(path, 'utf8') : undefined;
	const seen = { ...schemaOf(records), version: 1 };
	const schema = stored === undefined ? seen : widened(JSON.parse(stored), seen);
	const text = JSON.stringify(schema, undefined, '\t');
	const current = await format(text, { ...(await resolveConfig(path)), parser: 'json' });
	return { path, stored, current };
};
