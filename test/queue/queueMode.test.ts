import { afterAll, beforeAll, describe } from 'vitest';
import { describeEvents } from './events.ts';
import { describeFailedJobs } from './killedWorker.ts';
import { describeQuestions } from './questions.ts';
import { describePolls } from './polls.ts';
import { startQueueMode, type QueueMode } from './queueMode.ts';
import { describeSends } from './sends.ts';

let queueMode: QueueMode;
beforeAll(async () => {
	queueMode = await startQueueMode();
});
afterAll(async () => await queueMode?.stop());

// One n8n of four processes for all: its start takes longer than most of what is tested in it.
describe('sending on two workers', () => describeSends(() => queueMode));
describe('a worker that dies', () => describeFailedJobs(() => queueMode));
describe('events at two entry processes', () => describeEvents(() => queueMode));
describe('a polling trigger', () => describePolls(() => queueMode));
describe('a question that waits', () => describeQuestions(() => queueMode));
