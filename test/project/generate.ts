/** `npm run generate`: writes what follows from the code. Read what it has changed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createControl } from '../../playground/emulator/control/client.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { credentialsFor } from '../engine/emulator.ts';
import { outputSchemaFile } from '../engine/outputSchemas.ts';
import { operationsByName } from '../helpers/exampleFields.ts';
import { writeContract } from './contract.ts';
import { filesWithTables, withCurrentTables } from './readmeTables.ts';

const writeOutputSchemas = async (): Promise<void> => {
	const emulator = await startEmulator();
	for (const name of Object.keys(operationsByName)) {
		// What one operation deletes, another one could not find.
		await createControl(emulator.url).reset({ autoStatus: false });
		const { path, current } = await outputSchemaFile(name, credentialsFor(emulator.url));
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, current);
	}
	await emulator.close();
};

const writeTables = async (): Promise<void> => {
	for (const file of filesWithTables) {
		const path = resolve(import.meta.dirname, '../..', file);
		await writeFile(path, await withCurrentTables(await readFile(path, 'utf8'), file));
	}
};

await writeContract();
await writeOutputSchemas();
await writeTables();
