import { ensureN8n } from '../../playground/n8n/install.ts';
import { createProgressDisplay } from '../../playground/n8n/progress.ts';
import { currentN8n, oldestN8n } from '../../playground/n8n/versions.ts';

/** Both versions of n8n that the tests run in; once per machine. */
for (const version of [currentN8n, oldestN8n])
	await ensureN8n({ version, onProgress: createProgressDisplay().show });
