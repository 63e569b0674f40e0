import { describe, expect, it } from 'vitest';
import { retries } from './emulator.ts';
import { nodesAreIdle } from './pauses.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service, reply, delivered, webhooksLeft } = n8n;

const sender = '61491570156';
const contact = '61491573770';

const messages = async () => await service.control.messages();
const webhooks = async () => await service.control.webhooks();
describe('Retry On Fail', () => {
	it('neither sends again nor leaves a second webhook after a send that was refused', async () => {
		await service.fault('status403', { path: '/v2/sms', count: 1 });
		const question = await n8n.ask({}, { settings: retries });

		expect(question.run.status).toBe('waiting');
		expect(await messages()).toHaveLength(1);
		expect(await webhooks()).toMatchObject([{ id: question.parked.webhookId }]);
	});

	it('tries a webhook again that was refused, and sends once', async () => {
		await service.fault('status403', { path: '/v2/webhook', method: 'POST', count: 1 });
		await n8n.ask({}, { settings: retries });

		expect(await messages()).toHaveLength(1);
		expect(await webhooks()).toHaveLength(1);
	});
});

describe('a fault', () => {
	it('of the send leaves no webhook', async () => {
		await service.fault('status403', { path: '/v2/sms' });
		const { error } = await n8n.run();

		expect(error).toMatchObject({ code: 'not_allowed', httpCode: '403' });
		expect(await webhooks()).toEqual([]);
	});

	it('that leaves open whether the message went out is said, and nothing is sent again', async () => {
		await service.fault('status500AfterAcceptance', {
			path: '/v2/sms',
			method: 'POST',
			count: 'forever',
		});
		await n8n.run({}, { settings: retries });

		expect(await messages()).toHaveLength(1);
	});

	it('that leaves open whether a question went out keeps its reply from an older one', async () => {
		const older = await n8n.ask({ message: 'Approve the budget?', responseType: 'approval' });
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', method: 'POST', count: 1 });
		n8n.passTime(60_000);
		await n8n.run({ message: 'Shall we have lunch?', responseType: 'approval' });
		await reply('yes');
		await delivered(2);

		expect(older.output()).toBeUndefined();
	});

	it('of the answer to the webhook does not cost the question: it is found', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/webhook', method: 'POST' });
		const question = await n8n.ask();

		expect(await webhooks()).toMatchObject([{ id: question.parked.webhookId }]);
		await reply('Here');
		expect((await question.resumed).json.text).toBe('Here');
	});
});

describe('the Unexpected Reply Message', () => {
	const explained = {
		responseType: 'approval',
		options: { unexpectedReplyMessage: 'YES or NO, please' },
	};
	const sends = { path: '/v2/sms', method: 'POST' };

	it('is sent once, and leaves the webhook as it is', async () => {
		await n8n.ask(explained);
		const before = await webhooks();
		for (const [index, text] of ['Why?', 'Who is this?', 'And now?'].entries()) {
			await reply(text);
			await delivered(index + 1);
		}
		await service.control.waitForMessages({ text: 'YES or NO, please' });

		expect(await messages()).toHaveLength(2);
		expect(await webhooks()).toEqual(before);
	});

	it('is not sent while another question is open that the reply may be for', async () => {
		await n8n.ask({ responseType: 'choice', choices: ['Blue', 'Red'] });
		await n8n.ask(explained);
		await reply('Blue');
		await delivered(2);
		await nodesAreIdle();

		expect(await messages()).toHaveLength(2);
	});

	it('is sent after the next unexpected reply if Kudosity rejected it', async () => {
		await n8n.ask(explained);
		await service.fault('status403', sends);
		await reply('Why?');
		await service.control.waitForRequests({ ...sends, status: 403 });
		await reply('Who is this?');

		await service.control.waitForMessages({ text: 'YES or NO, please' });
	});

	it('is not sent again if nobody knows whether it was', async () => {
		await n8n.ask(explained);
		await service.fault('status500AfterAcceptance', sends);
		await reply('Why?');
		await service.control.waitForRequests({ ...sends, status: 500 });
		await reply('Who is this?');
		await delivered(2);

		expect(await messages()).toHaveLength(2);
	});
});

describe('several open questions to one person', () => {
	it('are answered newest first', async () => {
		const first = await n8n.ask({ message: 'First?' });
		const second = await n8n.ask({ message: 'Second?' });
		await reply('to the second');
		expect((await second.resumed).json.text).toBe('to the second');
		await webhooksLeft(1);
		expect(first.output()).toBeUndefined();

		await reply('to the first');
		expect((await first.resumed).json.text).toBe('to the first');
		await webhooksLeft(0);
	});

	it('do not share a reply that comes late to the older one', async () => {
		const first = await n8n.ask({ message: 'First?' });
		const second = await n8n.ask({ message: 'Second?' });
		await reply('to the second');
		await second.resumed;
		await webhooksLeft(1);
		const [before] = await service.control.deliveries({
			webhookId: String(first.parked.webhookId),
		});
		const raw = JSON.parse(String(before?.payload)) as unknown;
		await service.control.emit({ raw, to: String(first.parked.webhookId), wait: true });

		expect(first.output()).toBeUndefined();
	});

	const keepOrCancel = { responseType: 'choice', choices: ['Keep', 'Cancel'] };

	it('stay open when CANCEL is the answer to the newest', async () => {
		const first = await n8n.ask();
		const second = await n8n.ask(keepOrCancel);
		await reply('Cancel');

		expect((await second.resumed).json).toMatchObject({ replied: true, choice: 'Cancel' });
		await delivered(2);
		expect(first.output()).toBeUndefined();
	});

	it.each([
		['STOP', 'no question', {}, {}],
		['UNSUBSCRIBE', 'no question', {}, keepOrCancel],
		['Cancel', 'an older question alone', keepOrCancel, {}],
	])('all end with %s where it is an answer to %s', async (text, _, older, newer) => {
		const questions = [await n8n.ask(older), await n8n.ask(newer)];
		await reply(text);
		const ends = await Promise.all(questions.map(async ({ resumed }) => (await resumed).json));

		expect(ends).toMatchObject([{ optedOut: true }, { optedOut: true }]);
	});

	it('are told apart by whom they ask', async () => {
		const other = await n8n.ask({ recipient: '61491571266' });
		const own = await n8n.ask();
		await service.control.inbound({ from: '61491571266', to: sender, text: 'Me' });

		expect((await other.resumed).json.text).toBe('Me');
		expect(own.output()).toBeUndefined();
	});

	it('hear a reply also after another message went to the person', async () => {
		const question = await n8n.ask();
		await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
		await reply('Fine');

		expect((await question.resumed).json.text).toBe('Fine');
	});

	it('hear a reply that a newer one by message does not get', async () => {
		const question = await n8n.ask();
		await n8n.ask({ options: { matchBy: 'thisMessage' } });
		await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
		await reply('Fine');

		expect((await question.resumed).json.text).toBe('Fine');
	});

	it('by message are delivered alone', async () => {
		const options = { matchBy: 'thisMessage' };
		const questions = [
			await n8n.ask({ options }),
			await n8n.ask({ recipient: '61491571266', options }),
		];
		await reply('Mine');
		await questions[0]!.resumed;

		expect(await delivered(1)).toHaveLength(1);
	});
});

describe('the Timeout Workflow setting', () => {
	it.each([
		[60, 1, 1],
		[3600, 1, 0],
		[-1, 1, 0],
		[undefined, 1, 0],
		// n8n cuts the setting to an hour, unless its administrator allows more.
		[86_400, 59, 0],
		[86_400, 60, 1],
		[-1, 60, 0],
	])(
		'of %s seconds, with a wait of %i minutes, is said in %i hints',
		async (executionTimeout, waitAmount, hints) => {
			const question = await n8n.ask({ waitAmount, waitUnit: 'minutes' }, { executionTimeout });

			const hint = expect.stringContaining("'Timeout Workflow' may end this execution");
			expect(question.hints).toEqual(Array(hints).fill(hint));
		},
	);
});

describe('a reply that n8n has taken, but not continued with yet', () => {
	it('is not lost when n8n ends before it does', async () => {
		await service.control.settings({ deliveryTimeoutMs: 200, retryDelaysMs: [100, 500] });
		const question = await n8n.ask();
		// E.g. until one of N8N_CONCURRENCY_PRODUCTION_LIMIT executions has ended.
		n8n.hang();
		await reply('Fine');
		await service.control.waitForDeliveries({ attempt: 2 });
		n8n.restart();

		expect((await question.resumed).json.text).toBe('Fine');
	});
});

describe('a reply at the very end', () => {
	it('does not go on a second time when the time is over while it is looked at', async () => {
		const question = await n8n.ask({ waitAmount: 1, waitUnit: 'minutes' });
		await service.run('sms/send', { message: 'By the way', sender, recipient: contact });
		const match = { method: 'GET', path: '/v2/webhook' };
		await service.fault('slow', match, { delayMs: 300 });
		await reply('Here');
		await service.control.waitForRequests(match, { count: 2 });
		n8n.passTime(2 * 60_000);
		await delivered(1);

		expect(question.output()).toBeUndefined();
		// A trigger would leave out what has answered a question.
		expect(await webhooks()).not.toMatchObject([{ name: expect.stringContaining('answered') }]);
	});
});

describe('webhooks that are left', () => {
	it('are swept by a later question once their time is over, and others stay', async () => {
		const foreign = {
			name: 'n8n: Desk - Ask (question until 2020-01-01 00:00 UTC)',
			url: 'https://example.com/hook?ask=a.b.c.d.e',
			eventTypes: ['SMS_INBOUND'],
		};
		await service.run('webhook/create', foreign);
		const cancelled = await n8n.ask({ waitAmount: 1, waitUnit: 'minutes' });
		n8n.cancel(cancelled);
		n8n.passTime(2 * 3_600_000);
		const open = await n8n.ask();

		const left = await webhooks();
		expect(left.map(({ id }) => id)).toContain(open.parked.webhookId);
		expect(left.map(({ id }) => id)).not.toContain(cancelled.parked.webhookId);
		expect(left.map(({ name }) => name)).toContain(foreign.name);
	});

	it('are all gone after a few questions, although each deletes at most fifty', async () => {
		for (let index = 0; index < 60; index++) {
			n8n.cancel(await n8n.ask({ waitAmount: 1, waitUnit: 'minutes' }));
		}
		n8n.passTime(2 * 3_600_000);
		await n8n.ask();
		expect(await webhooks()).toHaveLength(11);
		await n8n.ask();
		expect(await webhooks()).toHaveLength(2);
	});

	it('cost one look an hour', async () => {
		n8n.passTime(2 * 3_600_000);
		await n8n.ask();
		await n8n.ask();

		expect(await service.control.requests({ method: 'GET', path: '/v2/webhook' })).toHaveLength(1);
	});
});

it('of two calls of an agent that n8n 1 counts as the same run, each is asked', async () => {
	const call = async (toolCallId: string) =>
		await n8n.run({}, { executionId: 'agent', items: [{ toolCallId }] });
	await call('one');
	await call('two');

	expect(await service.control.messages()).toHaveLength(2);
});

describe('the tool of an agent that cannot wait', () => {
	it('is refused before anything is sent', async () => {
		const call = await service.tool('sms/sendAndWait', n8n.fields);

		expect(String(await call().catch((error: Error) => error.message))).toContain(
			"'Send and Wait for Response' doesn't work in this AI Agent, so nothing was sent. Use version 3",
		);
		expect(await service.control.requests({ method: 'POST' })).toEqual([]);
	});
});
