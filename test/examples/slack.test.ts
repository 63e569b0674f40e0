import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const texted = '61491570006';
const contact = '61491570156';

/** In place of a node of another app: outputs these fields. */
const saying = (node: WorkflowNode, fields: Record<string, unknown>): WorkflowNode => ({
	...node,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	webhookId: undefined,
	parameters: {
		assignments: {
			assignments: Object.entries(fields).map(([name, value]) => ({
				...{ id: name, name, value, type: 'string' },
			})),
		},
		options: {},
	},
});

describe('slack-inbox.json and slack-replies.json', () => {
	const inbox = 'slack-inbox.json';
	const channel = 'C0000000001';
	const signatureSecret = 'made-up-for-this-test';
	const reply = {
		type: 'message',
		user: 'U0000000001',
		text: 'Yes, 10 &amp; 4: see <https://example.com|our page> or ask <mailto:kim@example.com|kim@example.com>, <tel:+61491573770|+61 491 573 770>',
		ts: '1772494900.000200',
		thread_ts: '1772494867.000100',
		channel,
	};
	let credentials: WorkflowNode['credentials'];
	const change = (node: WorkflowNode): WorkflowNode => {
		const { name, parameters } = node;
		if (name === 'Slack reply') {
			const channelId = { __rl: true, mode: 'id', value: channel };
			return { ...node, credentials, parameters: { ...parameters, channelId } };
		}
		if (name === 'Post to Slack')
			return saying(node, { text: parameters.text, message_timestamp: reply.thread_ts });
		if (name === 'Mark as sent')
			return saying(node, { marked: parameters.timestamp, with: parameters.name });
		// Otherwise it looks for lost messages for minutes.
		if (name === 'Send SMS') return withOptions(node, { onOutcomeUnknown: 'fail' });
		return node.type.endsWith('.slack') ? saying(node, { text: parameters.text }) : node;
	};
	const example = useExample({ file: 'slack-replies.json', change, beside: [inbox] });
	beforeAll(async () => {
		const { id, name } = await example.rest.createCredential({
			name: 'Slack of the shop',
			type: 'slackApi',
			data: { accessToken: 'xoxb-made-up', signatureSecret },
		});
		credentials = { slackApi: { id, name } };
	});

	/** As Slack does; resolves to the status. */
	const inSlack = async (event: object, secret = signatureSecret): Promise<number> => {
		const body = JSON.stringify({ type: 'event_callback', event: { ...reply, ...event } });
		const time = String(Math.floor(Date.now() / 1000));
		const hash = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
		const path = `/webhook/${example.webhookId('Slack reply')}/webhook`;
		const response = await fetch(`${example.url}${path}`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-slack-request-timestamp': time,
				'x-slack-signature': `v0=${hash}`,
			},
			body,
		});
		return response.status;
	};

	/** An SMS, posted to Slack as the parent of the reply. */
	const text = async (words = 'Is the shop open on Sunday?') => {
		await example.control.inbound({ from: contact, to: texted, text: words });
		return (await example.executions(1, inbox))[0]!;
	};

	it('shows an SMS in Slack, where its text can call nobody', async () => {
		const { nodes } = await text('Hi <!channel> & all');

		expect(nodes['Post to Slack']?.items).toMatchObject([
			{ json: { text: `SMS from ${contact} to ${texted}\nHi &lt;!channel&gt; &amp; all` } },
		]);
		expect(await example.control.messages()).toEqual([]);
	});

	it('sends a reply in the thread once, from the number that was texted', async () => {
		await text();
		for (let count = 0; count < 2; count++) await inSlack({});
		const executions = await example.executions(2);

		expect(await example.control.messages()).toMatchObject([
			{
				sender: texted,
				recipient: contact,
				text: 'Yes, 10 & 4: see https://example.com or ask kim@example.com, +61491573770',
			},
		]);
		expect(executions[0]?.nodes['Mark as sent']?.items).toMatchObject([
			{ json: { marked: reply.ts, with: 'white_check_mark' } },
		]);
	});

	it('sends a reply that is shown in the channel, too', async () => {
		await text();
		await inSlack({ subtype: 'thread_broadcast' });
		await example.executions(1);
		expect(await example.control.messages()).toMatchObject([{ recipient: contact }]);
	});

	it('leaves alone what is outside of a thread, in another one, of a bot, or edited', async () => {
		await text();
		await inSlack({ thread_ts: undefined });
		await inSlack({ thread_ts: reply.ts });
		await inSlack({ bot_id: 'B0000000001' });
		const { thread_ts, text: words, user } = reply;
		const message = { thread_ts, text: words, user };
		const edited = { subtype: 'message_changed', message, thread_ts: undefined, text: undefined };
		await inSlack(edited);
		const executions = await example.executions(4);

		expect(executions.map(({ status, nodes }) => [status, nodes['Send SMS']?.runs])).toEqual(
			Array(4).fill(['success', undefined]),
		);
		expect(await example.control.messages()).toEqual([]);
	});

	it('says in the thread why a reply was not sent', async () => {
		await text('STOP');
		await inSlack({});
		const [execution] = await example.executions(1);

		expect(execution?.nodes['Report the problem']?.items).toMatchObject([
			{ json: { text: expect.stringMatching(/^Not sent: .*opted out/) } },
		]);
	});

	it('does not call a reply unsent that Kudosity may have sent', async () => {
		await text();
		const match = { path: '/v2/sms', method: 'POST', count: 1 };
		await example.control.addFault({ fault: 'resetAfterAcceptance', match });
		await inSlack({});
		const [execution] = await example.executions(1);

		expect(await example.control.messages()).toHaveLength(1);
		expect(execution?.nodes['Report the problem']?.items).toMatchObject([
			{ json: { text: expect.stringMatching(/^Perhaps sent: .*may have gone through/) } },
		]);
	});

	it('believes only Slack', async () => {
		await text();
		expect(await inSlack({}, 'wrong')).toBe(401);
		expect(await example.control.messages()).toEqual([]);
	});
});
