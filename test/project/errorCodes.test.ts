import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { failureCodes } from '../../nodes/Kudosity/api/failureCodes.ts';

it('explains each error code in docs/error-codes.md, and no others', async () => {
	const path = resolve(import.meta.dirname, '../../docs/error-codes.md');
	const documented = [...(await readFile(path, 'utf8')).matchAll(/^\| `(\w+)`/gm)];

	expect(documented.map(([, code]) => code)).toEqual([...failureCodes]);
});
