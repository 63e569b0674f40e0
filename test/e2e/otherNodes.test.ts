/** What the documents advise about n8n's own nodes, done as they say. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, node, noOperation, workflow } from './workflow.ts';

const settings = { autoStatus: false, retryDelaysMs: [], requestsPerSecond: 0 };
const phones = ['61491570006', '61491570157'];

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => {
	await playground.deactivateAll();
	await playground.control.reset(settings);
});
afterAll(async () => await playground.stop());

const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
const loopOverItems = () =>
	node({
		...{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 },
		parameters: { batchSize: 1 },
	});
const loopWith = (name: string) => ({
	Start: { main: [to('Loop')] },
	Loop: { main: [to('Done'), to(name)] },
	[name]: { main: [to('Loop')] },
});

it('Loop Over Items with Batch Size 1 uses the account that a credential names for each item', async () => {
	const accounts = ['A', 'B'].map((key) => ({ id: key, apiKey: key, apiSecret: 'secret' }));
	await playground.control.settings({ accounts });
	const data = { apiKey: '={{ $json.key }}', baseUrl: playground.emulator.url };
	const credential = { name: 'By expression', type: 'kudosityKeyApi', data };
	const { id, name } = await playground.rest.createCredential(credential);
	const send = playground.kudosity(
		{
			...{ resource: 'sms', operation: 'send', message: 'Hi', sender: 'Acme' },
			recipient: '={{ $json.phone }}',
		},
		{ credentials: { kudosityKeyApi: { id, name } } },
	);
	const draft = workflow({
		nodes: [manualTrigger(), loopOverItems(), send, noOperation('Done')],
		items: phones.map((phone, index) => ({ phone, key: accounts[index]?.apiKey })),
		connections: loopWith('Kudosity'),
	});
	const { status, error } = await playground.rest.run((await playground.save(draft)).id);
	await playground.rest.deleteCredential(id);

	expect([status, error]).toEqual(['success', undefined]);
	const requests = await playground.control.requests({ method: 'POST', path: '/v2/sms' });
	expect(requests.map(({ accountId }) => accountId)).toEqual(['A', 'B']);
});

it('a Webhook node gets the delivery of a bulk message at its Delivery Callback', async () => {
	const path = randomUUID();
	const hook = node({
		...{ name: 'Callback', type: 'n8n-nodes-base.webhook', typeVersion: 2 },
		parameters: { path },
	});
	const { id } = await playground.save(workflow({ nodes: [hook] }));
	await playground.rest.activate(id);
	const { nodes } = await playground.run(
		[{}],
		playground.kudosity({
			...{ resource: 'bulkSms', operation: 'send', message: 'Hi', sender: 'Acme' },
			recipients: phones[0],
			options: { deliveryCallback: `${playground.n8n.url}/webhook/${path}` },
		}),
	);
	const messageId = String(nodes.Kudosity?.items[0]?.json.messageId);
	await playground.control.setStatus(messageId, 'DELIVERED');
	const [called] = await playground.rest.waitForExecutions(id, 1);

	expect(called?.nodes.Callback?.items[0]?.json.query).toMatchObject({
		...{ message_id: messageId, mobile: phones[0], status: 'delivered' },
	});
});

it('a loop that calls a sub-workflow without waiting asks all at once', async () => {
	const ask = playground.kudosity({
		...{ resource: 'sms', operation: 'sendAndWait', responseType: 'freeText' },
		...{ message: 'When?', sender: '61491570156', recipient: '={{ $json.phone }}' },
	});
	const called = node({
		...{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
		parameters: { inputSource: 'passthrough' },
	});
	const sub = await playground.save(workflow({ nodes: [called, ask, noOperation('After')] }));
	// n8n 1 publishes nothing that does not start by itself.
	await playground.rest.activate(sub.id).catch(() => undefined);
	const call = node({
		...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
		parameters: {
			workflowId: { __rl: true, mode: 'id', value: sub.id },
			options: { waitForSubWorkflow: false },
		},
	});
	const draft = workflow({
		nodes: [manualTrigger(), loopOverItems(), call, noOperation('Done')],
		items: phones.map((phone) => ({ phone })),
		connections: loopWith('Call'),
	});
	const { status, error } = await playground.rest.run((await playground.save(draft)).id);
	expect([status, error]).toEqual(['success', undefined]);

	const questions = await playground.control.waitForMessages({}, { count: 2 });
	// n8n refuses a reply that comes before the execution waits.
	for (const asked of await playground.rest.listExecutions({ workflowId: sub.id })) {
		await playground.rest.waitForExecution(asked.id, { statuses: ['waiting'] });
	}
	for (const { id, recipient } of questions) {
		await playground.control.reply(id, `Answer of ${recipient}`);
	}
	const executions = await playground.rest.waitForExecutions(sub.id, 2);
	expect(executions.map(({ nodes }) => nodes.After?.items[0]?.json.text).sort()).toEqual(
		phones.map((phone) => `Answer of ${phone}`),
	);
});
