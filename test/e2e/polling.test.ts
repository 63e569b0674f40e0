/** The polling trigger in a real n8n, which polls every five seconds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { until } from '../../playground/n8n/until.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { startPlayground, type Playground } from './harness.ts';
import type { TestN8n } from './startN8n.ts';
import { everyFiveSeconds, noOperation, workflow } from './workflow.ts';

const ours = '61491570006';
const contact = '61491573770';

const durableCursors = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

const variants = [
	{ name: 'the polling trigger', environment: {}, isRun: true },
	{ name: 'with durable cursors', environment: durableCursors, isRun: isCurrent && runsAll },
];

describe.each(variants.filter(({ isRun }) => isRun))('$name', ({ environment }) => {
	let playground: Playground;
	let n8n: TestN8n;
	beforeAll(async () => {
		const settings = { autoStatus: false };
		playground = await startPlayground({ ownN8n: { environment }, settings });
		n8n = playground.n8n as TestN8n;
	});
	afterAll(async () => await playground.stop());

	const draft = (name: string, credential = playground.credentials.key) =>
		workflow({
			name: 'Polled',
			nodes: [
				playground.kudosityTrigger({ ...everyFiveSeconds, events: ['SMS_INBOUND', 'SMS_STATUS'] }, {
					id: '0f7d64c6-6fbd-4a0f-9f7c-2f0a5c3f1e11',
					name,
					type: 'n8n-nodes-kudosity-messaging.kudosityPollingTrigger',
					credentials: { kudosityKeyApi: credential },
				} as Partial<WorkflowNode>),
				noOperation('Next'),
			],
		});

	const receive = async (text: string) =>
		await playground.control.inbound({ from: contact, to: ours, text });

	/** What all executions of the workflow itself have been started on. */
	const delivered = async (id: string): Promise<unknown[]> => {
		const listed = await playground.rest.listExecutions({ workflowId: id });
		const all = await Promise.all(listed.map((each) => playground.rest.readExecution(each.id)));
		return all
			.filter(({ mode }) => mode === 'trigger')
			.flatMap(({ nodes }) => nodes.Next?.items.map(({ json }) => json.text ?? json.status) ?? [])
			.sort();
	};

	const deliveredInAll = async (id: string, expected: string[]) => {
		await until({ what: expected.join(), timeoutMs: 30_000 }, async () =>
			(await delivered(id)).length >= expected.length ? true : undefined,
		);
		expect(await delivered(id)).toEqual([...expected].sort());
	};

	const polls = async () => (await playground.control.requests({ path: '/v2/sms' })).length;

	it('delivers everything once: over a kill, a new name, and a test run', async () => {
		const { control, rest } = playground;
		await receive('before');
		const receivedMs = Date.now();
		const { id } = await playground.save(draft('Incoming'));
		// It starts at the second of the service's answer, less the time that the request took.
		await until(
			{ what: 'a later second', timeoutMs: 5_000 },
			() => Date.now() > receivedMs + 3_000 || undefined,
		);
		await rest.activate(id);
		await receive('one');
		await deliveredInAll(id, ['one']);

		const sms = await playground.run(
			[{}],
			playground.kudosity({
				resource: 'sms',
				operation: 'send',
				message: 'Hi',
				sender: ours,
				recipient: contact,
			}),
		);
		expect(sms.status).toBe('success');
		const [message] = await control.messages();
		await control.setStatus(message!.id, 'DELIVERED');
		await n8n.current().kill();
		await receive('two');
		await n8n.restart();
		await deliveredInAll(id, ['one', 'two', 'DELIVERED']);

		await rest.updateWorkflow(id, draft('Replies'));
		await receive('three');
		await rest.activate(id);
		const test = await rest.run(id);
		expect(test.nodes.Next?.items.map(({ json }) => json.text ?? json.status)).toEqual([
			'three',
			'DELIVERED',
		]);
		await deliveredInAll(id, ['one', 'two', 'DELIVERED', 'three']);
		const before = await polls();
		await until({ what: 'two more polls', timeoutMs: 20_000 }, async () =>
			(await polls()) >= before + 2 ? true : undefined,
		);
		await deliveredInAll(id, ['one', 'two', 'DELIVERED', 'three']);
	});

	it.runIf(runsAll)('says why it cannot be published, with a wrong key', async () => {
		const reference = await playground.rest.createCredential({
			name: 'Wrong',
			type: 'kudosityKeyApi',
			data: { apiKey: 'wrong-key', baseUrl: playground.emulator.url },
		});
		const { id } = await playground.save(draft('Incoming', { id: reference.id, name: 'Wrong' }));
		await expect(playground.rest.activate(id)).rejects.toThrow(
			'Kudosity did not accept the credential',
		);
	});
});
