import { afterAll, beforeAll, describe } from 'vitest';
import { oldestN8n } from '../../playground/n8n/versions.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { describeRecoveredJobs } from './killedWorker.ts';
import { startQueueMode, type QueueMode } from './queueMode.ts';

// Where it differs from n8n 2.
describe.runIf(runsAll)('a worker of n8n 1 that dies', () => {
	let queueMode: QueueMode;
	beforeAll(async () => {
		queueMode = await startQueueMode({ version: oldestN8n });
	});
	afterAll(async () => await queueMode?.stop());

	describeRecoveredJobs(() => queueMode);
});
