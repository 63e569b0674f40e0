import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withCurrentTables } from './readmeTables.ts';

const path = resolve(import.meta.dirname, '../../README.md');
await writeFile(path, await withCurrentTables(await readFile(path, 'utf8'), path));
