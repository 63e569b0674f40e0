import { describe, expect, it } from 'vitest';
import { useDeduplicationStore, useEmulator } from './emulator.ts';
import { workingFields as fieldsThatWork } from '../helpers/exampleFields.ts';
import { createLoneTool, packageName } from './harness.ts';
import { withLimitsApart } from '../helpers/sendingLimits.ts';

const service = useEmulator();
useDeduplicationStore();

const ana = '61491570006';

const fieldsOf = (options: object, message = 'Hello') => ({
	...{ message, sender: 'Acme', recipient: ana },
	options: { onOutcomeUnknown: 'fail', ...options },
});
const workingFields = async (name: string) => await fieldsThatWork(name, async () => []);

const ours = `${packageName}.kudosity`;

const sent = async () => await service.control.messages();

describe("as a tool of n8n's Agents, which call it outside of any workflow, the node", () => {
	const toolWith = async (options: object, text?: string) =>
		await createLoneTool({
			parameters: {
				resource: 'sms',
				operation: 'send',
				...withLimitsApart(fieldsOf(options, text)),
			} as never,
			credentials: service.credentials,
		});

	it.each([
		['Max per Execution', { maxPerExecution: 1 }],
		['Max per Recipient per Day', { maxPerRecipientPerDay: 1 }],
		['Deduplication Key', { deduplicationKey: 'order-1' }],
		['Max per Day', { maxPerDay: 100 }],
		['Max per Execution', { maxPerExecution: 1, dryRun: 'always', requestsPerSecond: 200 }],
	])('refuses %s, and says in one sentence what holds there', async (name, options) => {
		const call = await toolWith(options);
		const told = await call().then(
			// A dry run tells it in its output.
			([item]) => ({ message: item?.reason, context: { code: item?.code } }),
			(error: unknown) => error,
		);

		expect(told).toMatchObject({
			message: expect.stringMatching(
				new RegExp(
					`'${name}' doesn't work in n8n's Agents.*nothing was sent.*Trying again won't help.*saved workflow`,
				),
			),
			context: { code: 'sending_limit' },
		});
		expect(await sent()).toEqual([]);
	});

	it('sends with the guards that look at one message, and answers in short', async () => {
		const call = await toolWith({ allowedRecipients: 'AU', maxParts: 1 });

		expect(await call()).toEqual([
			{ id: expect.any(String), recipient: ana, status: 'pending', parts: 1 },
		]);
		expect(await call()).toHaveLength(1);
		expect(await sent()).toHaveLength(2);
	});

	it('asks nobody, since nobody would be there to take the reply', async () => {
		const name = { resource: 'sms', operation: 'sendAndWait' };
		const parameters = { ...name, ...(await workingFields('sms/sendAndWait')) } as never;
		const call = await createLoneTool({ parameters, credentials: service.credentials });

		await expect(call()).rejects.toThrow(
			"'Send and Wait for Response' doesn't work in n8n's Agents",
		);
		expect(await service.control.requests()).toEqual([]);
	});

	it('tells what was not confirmed, and sends it again when it is asked again', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const call = await toolWith({}, 'Is it you?');

		// All in the message: neither n8n's Agents nor a workflow that an agent calls pass anything else on.
		await expect(call()).rejects.toThrow(
			/^Kudosity did not confirm the request \(status 500\): it may have gone through/,
		);
		expect(await call()).toHaveLength(1);
		expect(await sent()).toHaveLength(2);
	});
});

const turn = { mode: 'chat', workflowName: 'Chat 67e3e4af-62e8-4515-8b67-6f20d0c51ffb' } as const;
/** n8n's AI Assistant runs a single node in a workflow of its own. */
const lone = { mode: 'manual', workflowName: `Execute node ${ours}` } as const;

const counting: Array<[name: string, options: object]> = [
	['Max per Recipient per Day', { maxPerRecipientPerDay: 1 }],
	['Deduplication Key', { deduplicationKey: 'order-1' }],
	['Max per Day', { maxPerDay: 100 }],
];
const maxPerExecution: (typeof counting)[number] = ['Max per Execution', { maxPerExecution: 1 }];

describe.each([
	["n8n's Chat", turn, counting],
	["n8n's AI Assistant", lone, [...counting, maxPerExecution]],
] as const)('in a workflow of %s, which n8n deletes after the run', (where, options, refused) => {
	it.each(refused)('%s is refused, since it would begin anew each time', async (name, option) => {
		const { error } = await service.run('sms/send', fieldsOf(option), options);

		expect(error).toMatchObject({
			message: expect.stringContaining(`'${name}' doesn't work in ${where}`),
			code: 'sending_limit',
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/saved workflow.*ask the owner/);
		// The reader may be the model that the option holds back.
		expect(`${error?.message} ${error?.description}`).not.toMatch(/remove|switch off|without/i);
		expect(await sent()).toEqual([]);
	});

	it('messages go out with the guards that look at one message', async () => {
		const { error } = await service.run('sms/send', fieldsOf({ allowedRecipients: 'AU' }), options);

		expect(error).toBeUndefined();
		expect(await sent()).toHaveLength(1);
	});

	it.each(['sms', 'whatsapp', 'rcs'])(
		'nobody is asked by %s, and no webhook is made',
		async (channel) => {
			const name = `${channel}/sendAndWait`;
			const { error, run } = await service.run(name, await workingFields(name), options);

			expect(error?.message).toContain(`'Send and Wait for Response' doesn't work in ${where}`);
			expect(error?.message).toMatch(/nothing was sent\. .*saved workflow.*ask the owner/);
			expect(run.waitTill).toBeUndefined();
			expect(await service.control.requests()).toEqual([]);
		},
	);
});

describe('a call of an agent with fields that its tool does not have', () => {
	const ben = '61491570156';

	it.each([false, true])(
		'is not sent to whom nobody has seen; of an MCP client: %s',
		async (isMcp) => {
			const fields = { ...fieldsOf({}, 'Approved'), recipient: "={{ $fromAI('recipient') }}" };
			const call = await service.tool('sms/send', fields, { isMcp });

			const told = await call({ recipient: ana, query: { recipient: ben } }).catch(String);
			expect(told).toContain("The model passed 'recipient' inside 'query'");
			expect(await sent()).toEqual([]);
			await call({ recipient: ana, query: { page: '2' } });
			await call({ recipient: ana, query: 'Text Ana' });
			expect(await service.recipients()).toEqual([ana, ana]);
		},
	);

	it.each(['tool', 'toolParameters'])(
		'is not reviewed, since the person would see other %s',
		async (name) => {
			const fields = { ...(await workingFields('sms/sendAndWait')), message: '={{ $tool.name }}' };
			const items = [{ toolParameters: { recipient: ben }, query: { [name]: { recipient: ana } } }];
			const settings = { type: `${ours}HitlTool` };
			const { error, run } = await service.run('sms/sendAndWait', fields, { items, settings });

			expect(error?.message).toContain(`The model passed '${name}' inside 'query'`);
			expect(run.waitTill).toBeUndefined();
			expect(await service.control.requests()).toEqual([]);
		},
	);
});

it('is not reviewed, since the person would see an empty text, where the review names other fields', async () => {
	const fields = {
		...(await workingFields('sms/sendAndWait')),
		message: '=Text {{ $tool.parameters.recipient }}: {{ $tool.parameters.message }}?',
	};
	const items = [{ toolParameters: { Recipient: ana, Message: 'Your refund is on its way' } }];
	const settings = { type: `${ours}HitlTool` };
	const { error, run } = await service.run('sms/sendAndWait', fields, { items, settings });

	expect(error?.message).toContain("the review message uses '$tool.parameters.recipient'");
	expect(error?.description).toContain("{{ $tool.parameters.recipient ?? 'none' }}");
	expect(error?.description).toContain('The call has these fields: Recipient, Message');
	expect(run.waitTill).toBeUndefined();
	expect(await service.control.requests()).toEqual([]);
});

it.each([
	[
		'Recipient',
		{ recipient: "={{ $fromAI('recipient') }}", message: '={{ $tool.parameters.text }}' },
	],
	['Sender', { sender: "={{ $fromAI('sender') }}", message: '={{ $tool.parameters["text"] }}' }],
	['Message', { message: "={{ $fromAI('message') }}" }],
])('is not reviewed, since the model would choose the review’s own %s', async (label, changes) => {
	const fields = { ...(await workingFields('sms/sendAndWait')), ...changes };
	const items = [
		{ toolParameters: { text: 'Hi' }, recipient: ana, sender: '61491570156', message: 'OK?' },
	];
	const settings = { type: `${ours}HitlTool` };
	const { error, run } = await service.run('sms/sendAndWait', fields, { items, settings });

	expect(error?.message).toContain(`the model would choose '${label}' of the review itself`);
	expect(run.waitTill).toBeUndefined();
	expect(await service.control.requests()).toEqual([]);
});

it('is not reviewed where the call is only a text, since the person would not see it', async () => {
	const message = '=Text the customer: {{ $tool.parameters.input }}?';
	const fields = { ...(await workingFields('sms/sendAndWait')), message };
	const items = [{ toolParameters: 'Your account is closed' }];
	const settings = { type: `${ours}HitlTool` };
	const { error } = await service.run('sms/sendAndWait', fields, { items, settings });

	expect(error?.message).toContain('the tool call has no separate fields');
	expect(await service.control.requests()).toEqual([]);
});

it.each(['allowedRecipients', 'maxPerExecution', 'maxParts'])(
	'a tool refuses a limit that a model would fill in: %s',
	async (limit) => {
		const fields = fieldsOf({ [limit]: "={{ $fromAI('limit') }}" });
		const settings = { type: `${ours}Tool`, rewireOutputLogTo: 'ai_tool' };
		const { run } = await service.run('sms/send', fields, { settings, items: [{ limit: '9' }] });
		const [item] = run.data.resultData.runData.Kudosity?.[0]?.data?.ai_tool?.[0] ?? [];

		expect(item?.json.error).toContain("can't be filled in by a model");
		expect(await sent()).toEqual([]);
	},
);

it('is not reviewed where a field in brackets is named otherwise in the call', async () => {
	const message = `=Text {{ $tool.parameters['recipient'] }}: {{ $tool.parameters.text }}`;
	const fields = { ...(await workingFields('sms/sendAndWait')), message };
	const items = [{ toolParameters: { Recipient: ana, text: 'Hi' } }];
	const settings = { type: `${ours}HitlTool` };
	const { error } = await service.run('sms/sendAndWait', fields, { items, settings });

	expect(error?.message).toContain("the review message uses '$tool.parameters.recipient'");
	expect(await service.control.requests()).toEqual([]);
});

it('is reviewed where the text of the agent asks its reader for a number', async () => {
	const message = '=Send this? {{ $tool.parameters.text }}';
	const fields = { ...(await workingFields('sms/sendAndWait')), message };
	const items = [{ toolParameters: { text: 'Reply 1 for Monday, 2 for Tuesday' } }];
	const settings = { type: `${ours}HitlTool` };
	const { error, run } = await service.run('sms/sendAndWait', fields, { items, settings });

	expect(error).toBeUndefined();
	expect(run.waitTill).toBeDefined();
});

it.each(['={{ $json.phone }}', '={{ $input.item.json.phone }}'])(
	'a tool refuses Allowed Recipients that a model can replace: %s',
	async (allowedRecipients) => {
		const fields = { ...fieldsOf({ allowedRecipients }), recipient: "={{ $fromAI('phone') }}" };
		const settings = { type: `${ours}Tool`, rewireOutputLogTo: 'ai_tool' };
		const { run } = await service.run('sms/send', fields, { settings, items: [{ phone: ana }] });
		const [item] = run.data.resultData.runData.Kudosity?.[0]?.data?.ai_tool?.[0] ?? [];

		expect(item?.json.error).toContain(
			"'Sending Limits > Allowed Recipients' reads the tool's input, which a model can replace",
		);
		expect(await sent()).toEqual([]);
	},
);

describe.each([false, true])('a model, of an MCP client: %s,', (isMcp) => {
	const fields = {
		...fieldsOf({}, "={{ $fromAI('message') }}"),
		recipient: "={{ $fromAI('recipient') }}",
	};
	const toldAbout = async (args: object) => {
		const call = await service.tool('sms/send', fields, { isMcp });
		return String(await call({ message: 'Hello', recipient: ana, ...args }).catch(String));
	};

	it.each(['0491 570 006', '', '1234'])('is not led to guess a number: %s', async (recipient) => {
		const told = await toldAbout({ recipient });

		expect(told).toContain("'Recipient' ");
		expect(told).toContain("Don't change or complete the number. Ask for it");
		expect(told).not.toMatch(/Default Country|e\.g\./);
		expect(await sent()).toEqual([]);
	});

	it('is told not to send a message again that may have been sent', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const told = await toldAbout({});

		expect(told).toContain('it may have gone through');
		expect(told).toContain("Don't repeat it");
		expect(told).not.toContain('Retry On Fail');
		expect(await sent()).toHaveLength(1);
	});

	it.each(['Hi [Customer Name], your table is booked', 'Hello undefined', 'Dear , hello'])(
		'is not told how to send a text with a gap: %s',
		async (message) => {
			const told = await toldAbout({ message });

			expect(told).toContain('Write the text with the real value, or ask for the value');
			expect(told).not.toMatch(/quotes|Expression mode/);
			expect(await sent()).toEqual([]);
		},
	);
});

it('the owner of an MCP Server Trigger learns how its tool can skip people who opted out', async () => {
	const list = "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}";
	const earlier = [{ name: 'Get opt-outs', items: [], isApart: true, isWaiting: true }];
	const options = { isMcp: true, earlier };
	const call = await service.tool('sms/send', fieldsOf({ blockedRecipients: list }), options);
	const told = await call().catch(String);

	expect(told).toContain(
		'reads Get opt-outs, but no node can run before this one in an MCP Server Trigger',
	);
	expect(told).toContain(
		'Put Get opt-outs and this node into a sub-workflow, and use that workflow as the tool',
	);
	expect(await sent()).toEqual([]);
});

describe('a tool of an agent with several items', () => {
	const several = "the agent has several items, and n8n can't tell which one a tool call is for";

	it.each(['$json.phone', "$fromAI('phone')", `'${ana}'`])(
		'sends nothing, whatever fills it: {{ %s }}',
		async (code) => {
			const fields = { ...fieldsOf({}), recipient: `={{ ${code} }}` };
			const call = await service.tool('sms/send', fields, { agentItems: 2 });
			const answer = await call({ phone: ana });

			expect(answer).toContain(several);
			expect(answer).toContain('put Loop Over Items with Batch Size 1 before the agent');
			expect(await sent()).toEqual([]);
			const alone = await service.tool('sms/send', fields, { agentItems: 1 });
			await alone({ phone: ana });
			expect(await sent()).toHaveLength(1);
		},
	);

	it.each([
		['bulkSms/cancel', { messageId: '1' }, true],
		['sender/register', { sender: '61491570110' }, true],
		['sms/getAll', {}, false],
	])('refuses %s only if it must not be done twice', async (name, fields, isRefused) => {
		const call = await service.tool(name, fields, { agentItems: 2 });
		const answer = String(await call());

		if (isRefused) expect(answer).toContain(several);
		else expect(answer).not.toContain(several);
		expect((await service.control.requests()).length).toBe(isRefused ? 0 : 1);
	});
});

it.each([undefined, 'continueRegularOutput'] as const)(
	'an agent learns what to do about a refusal, although the panel has no On Error for tools: %s',
	async (onError) => {
		const settings = { type: `${ours}Tool`, rewireOutputLogTo: 'ai_tool', onError };
		const { run } = await service.run('sms/send', fieldsOf({ allowedRecipients: 'NZ' }), {
			settings,
		});
		const [item] = run.data.resultData.runData.Kudosity?.[0]?.data?.ai_tool?.[0] ?? [];

		expect(item?.json.error).toContain("'Allowed Recipients' does not include");
		expect(item?.json.error).toContain('This message was not sent');
	},
);

it("Max per Execution holds in a turn of n8n's Chat", async () => {
	const { error } = await service.run('sms/send', fieldsOf({ maxPerExecution: 1 }), turn);

	expect(error).toBeUndefined();
	expect(await sent()).toHaveLength(1);
});

const all = {
	maxPerRecipientPerDay: 1,
	maxPerExecution: 1,
	deduplicationKey: 'order-1',
};

it.each([
	["that n8n's MCP server or its assistant starts", 'chat', 'Chat support'],
	['of a step, or a part, in the editor', 'manual', 'Campaign'],
	['of a workflow that a user called almost so', 'manual', `${lone.workflowName} again`],
	['of a workflow that a user named after another node', 'manual', 'Execute node n8n.other'],
	['of an inline sub-workflow, whatever its name', 'integrated', lone.workflowName],
	['of a sub-workflow that an agent has as its tool', 'integrated', 'Send an SMS'],
	['of an evaluation', 'evaluation', 'Campaign'],
	['that a trigger started', 'trigger', lone.workflowName],
] as const)('all options hold in a run %s', async (_, mode, workflowName) => {
	const options = { mode, workflowName };
	const { error } = await service.run('sms/send', fieldsOf(all), options);

	expect(error).toBeUndefined();
	expect((await service.run('sms/send', fieldsOf(all), options)).json).toMatchObject([
		{ code: 'already_messaged' },
	]);
	expect(await sent()).toHaveLength(1);
});
