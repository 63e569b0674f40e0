import { afterAll, beforeAll, describe } from 'vitest';
import { oldestN8n } from '../../playground/n8n/versions.ts';
import { describeRecoveredJobs } from './killedWorker.ts';
import { startQueueMode, type QueueMode } from './queueMode.ts';

let queueMode: QueueMode;
beforeAll(async () => {
	queueMode = await startQueueMode({ version: oldestN8n });
});
afterAll(async () => await queueMode?.stop());

// Where it differs from n8n 2.
describe('a worker of n8n 1 that dies', () => describeRecoveredJobs(() => queueMode));
