import { expect, it } from 'vitest';
import { packageName } from '../../playground/n8n/pack.ts';
import { everyTwoSeconds, node } from '../e2e/workflow.ts';
import { executionsEnded, storedData } from './executions.ts';
import type { QueueMode } from './queueMode.ts';

const messages = ['first', 'second', 'third'];

export const describePolls = (get: () => QueueMode): void => {
	it('executes each message once, on whichever worker', async () => {
		const { control, credentials, postgres, rest } = get();
		await control.reset({ autoStatus: false });
		const { id } = await rest.createWorkflow({
			name: 'Polled',
			nodes: [
				node({
					name: 'Kudosity Polling Trigger',
					type: `${packageName}.kudosityPollingTrigger`,
					parameters: { ...everyTwoSeconds, events: ['SMS_INBOUND'] },
					credentials: { kudosityKeyApi: credentials.kudosityKeyApi! },
				}),
			],
			connections: {},
			settings: { executionOrder: 'v1' },
		});
		await rest.activate(id);
		// One at a time, so that each is an execution of its own.
		for (const [index, text] of messages.entries()) {
			await control.inbound({ from: '61491573770', to: '61491570006', text });
			await executionsEnded({ postgres, rest }, id, index + 1);
		}
		const requests = (await control.requests({ path: '/v2/sms' })).length;
		await control.waitForRequests({ path: '/v2/sms' }, { count: requests + 2, timeoutMs: 30_000 });

		const texts = (await storedData({ postgres, rest }, id)).flatMap((data) =>
			messages.filter((text) => data.includes(`"${text}"`)),
		);
		expect(texts.sort()).toEqual([...messages].sort());
		await rest.deactivate(id);
	});
};
