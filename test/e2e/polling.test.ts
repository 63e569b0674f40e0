/** The polling trigger in a real n8n, which polls every two seconds. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { until } from '../../playground/n8n/until.ts';
import { runsAll } from '../helpers/runsAll.ts';
import { startPlayground, type Playground } from './harness.ts';
import { createShiftedClock } from './shiftedClock.ts';
import type { TestN8n } from './startN8n.ts';
import { everyTwoSeconds, node, noOperation, workflow } from './workflow.ts';

const ours = '61491570006';
const contact = '61491573770';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let clock: Awaited<ReturnType<typeof createShiftedClock>>;
let playground: Playground;
let n8n: TestN8n;
let aheadMs = 0;

beforeAll(async () => {
	clock = await createShiftedClock();
	playground = await startPlayground({
		ownN8n: { environment: clock.environment },
		settings: { autoStatus: false },
	});
	n8n = playground.n8n as TestN8n;
});
afterAll(async () => {
	await playground.stop();
	await clock.remove();
});
beforeEach(async () => await playground.deactivateAll());

const both = ['SMS_INBOUND', 'SMS_STATUS'];

const draft = (name: string, { events = both, credential = playground.credentials.key } = {}) =>
	workflow({
		name: 'Polled',
		nodes: [
			playground.kudosityTrigger({ ...everyTwoSeconds, events }, {
				id: '0f7d64c6-6fbd-4a0f-9f7c-2f0a5c3f1e11',
				name,
				type: 'n8n-nodes-kudosity-messaging.kudosityPollingTrigger',
				credentials: { kudosityKeyApi: credential },
			} as Partial<WorkflowNode>),
			noOperation('Next'),
		],
	});

/** Someone writes to us. `agoMs`: when Kudosity received it, if it lists it only now. */
const receive = async (text: string, agoMs = 0) => {
	const at = new Date(Date.now() + aheadMs - agoMs).toISOString();
	await playground.control.inbound({ from: contact, to: ours, text, at });
};

/** What all executions of the published workflow have been started on. */
const delivered = async (id: string): Promise<unknown[]> => {
	const listed = await playground.rest.listExecutions({ workflowId: id });
	const all = await Promise.all(listed.map((each) => playground.rest.readExecution(each.id)));
	return all
		.filter(({ mode }) => mode === 'trigger')
		.flatMap(({ nodes }) => nodes.Next?.items.map(({ json }) => json.text ?? json.status) ?? [])
		.sort();
};

const deliveredInAll = async (id: string, expected: string[]) => {
	await until({ what: expected.join() }, async () =>
		(await delivered(id)).length >= expected.length ? true : undefined,
	);
	expect(await delivered(id)).toEqual([...expected].sort());
};

const requests = async () => await playground.control.requests({ path: '/v2/sms' });

const morePolls = async (count: number) => {
	const before = (await requests()).length;
	await until({ what: `${count} more polls` }, async () =>
		(await requests()).length >= before + count ? true : undefined,
	);
};

/**
 * Does something while Kudosity answers no poll. n8n starts to store a poll's result and doesn't wait for it, so if it
 * published a workflow right after a poll, that poll's messages could be delivered again.
 */
const withoutPolls = async (act: () => Promise<void>) => {
	const { control } = playground;
	await control.addFault({ fault: 'status500', match: { path: '/v2/sms', count: 'forever' } });
	await morePolls(1);
	await act();
	await control.clearFaults();
};

it('delivers everything once: over a kill, a new name, and a test run', async () => {
	const { control, rest } = playground;
	await receive('before');
	const receivedMs = Date.now();
	const { id } = await playground.save(draft('Incoming'));
	// It starts at the second of Kudosity's answer, less the time that the request took.
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

	await withoutPolls(async () => {
		await rest.updateWorkflow(id, draft('Replies'));
		await receive('three');
		await rest.activate(id);
	});
	const test = await rest.run(id);
	expect(test.nodes.Next?.items.map(({ json }) => json.text ?? json.status)).toEqual([
		'three',
		'DELIVERED',
	]);
	await deliveredInAll(id, ['one', 'two', 'DELIVERED', 'three']);
	await morePolls(2);
	await deliveredInAll(id, ['one', 'two', 'DELIVERED', 'three']);
});

// Every night: test/faults/polling.test.ts checks it in each run, and the test above restarts and renames.
it.runIf(runsAll)(
	'delivers 120 late and unordered messages once',
	{ timeout: 300_000 },
	async () => {
		const { control, rest } = playground;
		const { id } = await playground.save(draft('Incoming', { events: ['SMS_INBOUND'] }));
		const expected: string[] = [];

		/** Twenty messages, each listed up to `withinMs` late. */
		const receiveTwenty = async (step: string, withinMs = 14 * minuteMs) => {
			const texts = Array.from({ length: 20 }, (_, index) => `${step} ${index}`);
			// Neighbors in the order of arrival are far from each other in time.
			await Promise.all(
				texts.map(async (text, index) => await receive(text, (((index * 7) % 20) / 20) * withinMs)),
			);
			return texts;
		};
		const passTime = async (ms: number) => {
			aheadMs += ms;
			await clock.setAhead(aheadMs);
			await control.settings({ clockAheadMs: aheadMs });
		};
		const deliveredSoFar = async (texts: string[]) => {
			expected.push(...texts);
			await deliveredInAll(id, expected);
		};

		await rest.activate(id);
		await rest.deactivate(id);
		await passTime(20 * minuteMs);
		await rest.activate(id);
		await deliveredSoFar(await receiveTwenty('late'));

		await control.addFault({ fault: 'status500', match: { path: '/v2/sms', count: 'forever' } });
		const duringOutage = await receiveTwenty('outage');
		await morePolls(4);
		await control.clearFaults();
		await deliveredSoFar(duringOutage);

		await n8n.current().kill();
		const beforeRestart = await receiveTwenty('restart');
		await n8n.restart();
		await deliveredSoFar(beforeRestart);

		let beforeRename: string[] = [];
		await withoutPolls(async () => {
			await rest.updateWorkflow(id, draft('Replies', { events: ['SMS_INBOUND'] }));
			beforeRename = await receiveTwenty('rename');
			await rest.activate(id);
		});
		await deliveredSoFar(beforeRename);

		await rest.deactivate(id);
		await passTime(hourMs);
		const withinHour = await receiveTwenty('an hour', 50 * minuteMs);
		await rest.activate(id);
		await deliveredSoFar(withinHour);

		await rest.deactivate(id);
		await passTime(48 * hourMs);
		const withinTwoDays = await receiveTwenty('two days', 45 * hourMs);
		await rest.activate(id);
		// A trigger that is published again goes back a day.
		await deliveredSoFar(withinTwoDays.filter((_, index) => (index * 7) % 20 <= 10));

		const begunMs = Date.now();
		await morePolls(4);
		await deliveredInAll(id, expected);
		const times = (await requests()).map(({ at }) => Date.parse(at)).filter((ms) => ms > begunMs);
		// One request every two seconds. A poll on a busy machine can be late, and the next one is not.
		expect(times.length).toBeGreaterThan(3);
		expect(times.length - 1).toBeLessThanOrEqual((times.at(-1)! - times[0]!) / 2_000 + 1);
	},
);

it('delivers everything once when a Code node of the workflow stores static data, too', async () => {
	const { rest } = playground;
	const counting = node({
		name: 'Count',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: {
			jsCode: [
				"const data = $getWorkflowStaticData('global');",
				'data.count = (data.count ?? 0) + 1;',
				'return $input.all();',
			].join('\n'),
		},
	});
	const [trigger, next] = draft('Incoming', { events: ['SMS_INBOUND'] }).nodes;
	const { id } = await playground.save(
		workflow({ name: 'Counted', nodes: [trigger!, counting, next!] }),
	);
	await rest.activate(id);
	const expected: string[] = [];
	for (const text of ['one', 'two', 'three']) {
		await receive(text);
		expected.push(text);
		await deliveredInAll(id, expected);
		if (text !== 'two') continue;
		// The trigger knows that n8n has accepted a poll's messages once it polls again.
		await morePolls(1);
		await rest.deactivate(id);
		await rest.activate(id);
	}
	await morePolls(2);
	await deliveredInAll(id, expected);
});

it('is not published while Kudosity is down, if it is new, but n8n starts with it', async () => {
	const { control, rest } = playground;
	const { id } = await playground.save(draft('Incoming', { events: ['SMS_INBOUND'] }));
	const isDown = { fault: 'status500', match: { path: '/v2/sms', count: 'forever' } } as const;
	await control.addFault(isDown);
	await expect(rest.activate(id)).rejects.toThrow('Kudosity could not process the request');
	await control.clearFaults();
	await rest.activate(id);
	await receive('one');
	await deliveredInAll(id, ['one']);

	await control.addFault(isDown);
	await n8n.restart();
	await receive('two');
	await morePolls(2);
	await control.clearFaults();
	await deliveredInAll(id, ['one', 'two']);
});

it.runIf(runsAll)('says why it cannot be published, with a wrong key', async () => {
	const reference = await playground.rest.createCredential({
		name: 'Wrong',
		type: 'kudosityKeyApi',
		data: { apiKey: 'wrong-key', baseUrl: playground.emulator.url },
	});
	const credential = { id: reference.id, name: 'Wrong' };
	const { id } = await playground.save(draft('Incoming', { credential }));
	await expect(playground.rest.activate(id)).rejects.toThrow(
		'Kudosity did not accept the credential',
	);
});
