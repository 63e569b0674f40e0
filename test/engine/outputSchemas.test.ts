import { describe, expect, it } from 'vitest';
import { operationsByName } from '../helpers/exampleFields.ts';
import { useEmulator } from './emulator.ts';
import { outputSchemaFile } from './outputSchemas.ts';

const service = useEmulator();

describe('the output schema that the editor shows before the first run', () => {
	it.each(Object.keys(operationsByName))(
		'describes each field of %s, as `npm run generate` writes it',
		async (name) => {
			const { stored, current } = await outputSchemaFile(name, service.credentials);
			expect(stored).toBe(current);
		},
	);
});
