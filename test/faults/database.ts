import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod/v4';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';

const run = promisify(execFile);

/** n8n's own Node.js has SQLite built in, which the one that runs the tests may lack. */
const script = `
	const { DatabaseSync } = require('node:sqlite');
	const [, file, sql] = process.argv;
	const database = new DatabaseSync(file, { readOnly: true });
	process.stdout.write(JSON.stringify(database.prepare(sql).all()));
`;

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/** Reads the database of an n8n that keeps it in SQLite. */
export const queryDatabase = async (userFolder: string, sql: string) => {
	const { nodeBinary } = await ensureN8n({ version: currentN8n });
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const flags = ['--disable-warning=ExperimentalWarning', '-e', script, file, sql];
	const { stdout } = await run(nodeBinary, flags, { maxBuffer: 2 ** 30 });
	return rowsSchema.parse(JSON.parse(stdout));
};
