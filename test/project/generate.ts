/** `npm run generate`: writes what follows from the code. Read what it has changed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createControl } from '../../playground/emulator/control/client.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { credentialsFor } from '../engine/emulator.ts';
import { outputSchemaFile } from '../engine/outputSchemas.ts';
import { operationsByName } from '../helpers/exampleFields.ts';
import { writeContract } from './contract.ts';
import { documents } from '../helpers/documents.ts';
import { filesWithParts, withCurrentParts } from './generatedParts.ts';

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

const writeParts = async (): Promise<void> => {
	for (const file of filesWithParts) {
		const path = resolve(import.meta.dirname, '../..', file);
		await writeFile(path, await withCurrentParts(documents[file]!, file));
	}
};

await writeContract();
await writeOutputSchemas();
await writeParts();
