import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startPlayground, type Playground } from './harness.ts';
import { outputsOf, publish, triggerWorkflow } from './triggerWorkflow.ts';
import { manualTrigger, workflow } from './workflow.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };
const number = '61491570156';
const contact = '61491573770';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => void (await playground.control.reset(settings)));
afterAll(async () => await playground.stop());

const triggerFor = (parameters: object) => triggerWorkflow(playground, { ...parameters });
const events = ['ANY_OPT_OUT'];

it('an opt-out needs its own trigger, and no filter that would hide some', async () => {
	const { rest, control, save } = playground;
	const beside = await save(triggerFor({ events: [...events, 'SMS_INBOUND'] }));
	const filtered = await save(triggerFor({ events, filters: { messageRef: ['order-1'] } }));
	// n8n tries several times to publish, so both at once.
	await Promise.all([
		expect(rest.activate(beside.id)).rejects.toThrow('needs its own trigger'),
		expect(rest.activate(filtered.id)).rejects.toThrow("'Filters > Message Reference'"),
	]);
	expect(await control.webhooks()).toEqual([]);
});

it('every way to opt out starts the workflow, and nothing else does', async () => {
	const { rest, control, save, kudosity, credentials } = playground;
	const { id } = await publish(playground, triggerFor({ events }));

	const question = kudosity(
		{
			...{ resource: 'sms', operation: 'sendAndWait', message: 'Keep it?', sender: number },
			...{ recipient: contact, responseType: 'choice', choices: ['Keep', 'Cancel'] },
		},
		{ name: 'Ask', credentials: { kudosityKeyApi: credentials.key } },
	);
	const asking = await save(workflow({ nodes: [manualTrigger(), question], items: [{}] }));
	const waiting = await rest.runWorkflow(asking.id);
	await rest.waitForExecution(waiting, { statuses: ['waiting'] });

	const write = async (text: string, message: object = {}) =>
		await control.inbound({ from: contact, to: number, text, ...message });

	// The question expects it, so this is no opt-out, and the question goes on.
	await write('Cancel');
	expect((await rest.waitForExecution(waiting)).status).toBe('success');
	await write('Yes please');
	await control.emit({ event_type: 'WHATSAPP_INBOUND', contentType: 'REACTION', wait: true });

	await control.emit({ event_type: 'OPT_OUT', wait: true });
	await write('STOP');
	await write('STOP', { from: 'MyShop' });
	await write('STOP', { from: '12345' });
	await write('Stop', { from: 'AU.13491208655302741918', channel: 'WHATSAPP', to: '61491570006' });
	await write('Unsubscribe', { from: '61491570159' });
	await write('Please stop', { from: '61491570158' });
	const overrides = { mo: { message: { unreadable: true } } };
	await control.emit({ event_type: 'SMS_INBOUND', overrides, wait: true });

	// Kudosity tells of each STOP twice.
	const executions = await rest.waitForExecutions(id, 12);
	const received = executions.map((execution) => outputsOf(execution)[0]?.[0]?.json ?? {});
	const found = received
		.filter(({ eventType }) => eventType === 'OPT_OUT')
		.map(({ how, contact: who, channel, text }) => [how, who, channel, text].join(' '));
	expect(found.sort()).toEqual(
		[
			'link 61491578888 SMS ',
			...[`stop ${contact} SMS `, `stop ${contact} SMS STOP`],
			...['stop  SMS ', 'stop  SMS STOP'],
			...['stop 12345 SMS ', 'stop 12345 SMS STOP'],
			...['stop  WHATSAPP ', 'stop  WHATSAPP Stop'],
			'keyword 61491570159 SMS Unsubscribe',
			'words 61491570158 SMS Please stop',
		].sort(),
	);
	const [unread] = received.filter(({ eventType }) => eventType === undefined);
	expect(unread).toMatchObject({ event_type: 'SMS_INBOUND', parseIssues: [expect.anything()] });
	expect(unread).not.toHaveProperty('how');
	expect(await control.deliveries({ ok: false })).toEqual([]);
});
