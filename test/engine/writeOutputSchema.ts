/**
 * Writes the output schema of a new operation from what comes out of it against the emulator:
 * `npm run build && npx tsx test/engine/writeOutputSchema.ts sms/send`. Read what it has written.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { startEmulator } from '../../playground/emulator/server.ts';
import { operationsByName, workingFields, type RunOperation } from '../helpers/exampleFields.ts';
import { schemaOf } from '../helpers/jsonSchema.ts';
import { credentialsFor } from './emulator.ts';
import { runKudosity } from './harness.ts';

const folder = resolve(import.meta.dirname, '../../nodes/Kudosity/__schema__/v1.0.0');
const [name = ''] = process.argv.slice(2);
if (!(name in operationsByName)) {
	throw new Error(`Name one of ${Object.keys(operationsByName).join(', ')}`);
}

const emulator = await startEmulator({ settings: { autoStatus: false } });
const run: RunOperation = async (name, fields) => {
	const [resource, operation] = name.split('/');
	const { json, error } = await runKudosity({
		parameters: { resource, operation, ...fields } as never,
		credentials: credentialsFor(emulator.url),
	});
	if (error) throw new Error(`${name}: ${error.message} ${error.description ?? ''}`);
	return json;
};
const records = await run(name, await workingFields(name, run));
await emulator.close();

const path = resolve(folder, `${name}.json`);
await mkdir(dirname(path), { recursive: true });
const text = JSON.stringify({ ...schemaOf(records), version: 1 }, undefined, '\t');
await writeFile(path, await format(text, { ...(await resolveConfig(path)), parser: 'json' }));
