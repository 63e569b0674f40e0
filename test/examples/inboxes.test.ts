import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { firstOf } from '../helpers/runsAll.ts';
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

describe('slack-inbox.json', () => {
	const channel = 'C0000000001';
	const signatureSecret = 'made-up-for-this-test';
	const posted = `SMS from ${contact} to ${texted}\nIs the shop open on Sunday?`;
	let credentials: WorkflowNode['credentials'];
	const change = (node: WorkflowNode): WorkflowNode => {
		const { name, parameters } = node;
		if (name === 'Reply in Slack') {
			const channelId = { __rl: true, mode: 'id', value: channel };
			return { ...node, credentials, parameters: { ...parameters, channelId } };
		}
		if (name === 'Message replied to')
			return saying(node, {
				bot_id: 'B0000000001',
				text: '={{ $json.parent }}',
				asked: parameters.ts,
			});
		if (name === 'Mark as sent')
			return saying(node, { marked: parameters.timestamp, with: parameters.name });
		// Otherwise it looks for lost messages for minutes.
		if (name === 'Send SMS') return withOptions(node, { onOutcomeUnknown: 'fail' });
		return node.type.endsWith('.slack') ? saying(node, { text: parameters.text }) : node;
	};
	const example = useExample({ file: 'slack-inbox.json', change });
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
		const path = `/webhook/${example.webhookId('Reply in Slack')}/webhook`;
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
	const reply = {
		type: 'message',
		user: 'U0000000001',
		text: 'Yes, 10 &amp; 4: see <https://example.com|our page> or ask <mailto:kim@example.com|kim@example.com>, <tel:+61491573770|+61 491 573 770>',
		ts: '1772494900.000200',
		thread_ts: '1772494867.000100',
		channel,
		/** The message above, which n8n would get from Slack. */
		parent: posted,
	};

	it('shows an SMS in Slack, where its text can call nobody', async () => {
		await example.control.inbound({ from: contact, to: texted, text: 'Hi <!channel> & all' });
		const [execution] = await example.executions(1);

		expect(execution?.nodes['Post to Slack']?.items).toMatchObject([
			{ json: { text: `SMS from ${contact} to ${texted}\nHi &lt;!channel&gt; &amp; all` } },
		]);
		expect(await example.control.messages()).toEqual([]);
	});

	it.each(firstOf(1, [posted.replaceAll(/(\d{11})/g, '<tel:$1|$1>'), posted]))(
		'sends a reply in the thread once, from the number that was texted',
		async (parent) => {
			await inSlack({ parent });
			await inSlack({ parent });
			const executions = await example.executions(2);

			expect(await example.control.messages()).toMatchObject([
				{
					sender: texted,
					recipient: contact,
					text: 'Yes, 10 & 4: see https://example.com or ask kim@example.com, +61 491 573 770',
				},
			]);
			expect(executions[0]?.nodes['Message replied to']?.items).toMatchObject([
				{ json: { asked: reply.thread_ts } },
			]);
			expect(executions[0]?.nodes['Mark as sent']?.items).toMatchObject([
				{ json: { marked: reply.ts, with: 'white_check_mark' } },
			]);
		},
	);

	it('sends a reply that is shown in the channel, too', async () => {
		await inSlack({ subtype: 'thread_broadcast' });
		await example.executions(1);
		expect(await example.control.messages()).toMatchObject([{ recipient: contact }]);
	});

	it('leaves alone what is outside of a thread, of a bot, or edited', async () => {
		await inSlack({ thread_ts: undefined });
		await inSlack({ thread_ts: reply.ts });
		await inSlack({ bot_id: 'B0000000001' });
		await inSlack({ subtype: 'message_changed' });
		const executions = await example.executions(4);

		expect(executions.map(({ nodes }) => nodes['Message replied to']?.runs)).toEqual(
			Array(4).fill(undefined),
		);
		expect(await example.control.messages()).toEqual([]);
	});

	it('takes no number from the text of the SMS', async () => {
		await inSlack({ parent: `SMS from ${contact} to Acme\nCall ${texted}` });
		await example.executions(1);
		expect(await example.control.messages()).toEqual([]);
	});

	it('says in the thread why a reply was not sent', async () => {
		await example.control.inbound({ from: contact, to: texted, text: 'STOP' });
		await example.executions(1);
		await inSlack({});
		const executions = await example.executions(2);

		expect(executions[1]?.nodes['Say why not']?.items).toMatchObject([
			{ json: { text: expect.stringMatching(/^Not sent: .*opted out/) } },
		]);
	});

	it('does not call a reply unsent that Kudosity may have sent', async () => {
		const match = { path: '/v2/sms', method: 'POST', count: 1 };
		await example.control.addFault({ fault: 'resetAfterAcceptance', match });
		await inSlack({});
		const [execution] = await example.executions(1);

		expect(await example.control.messages()).toHaveLength(1);
		expect(execution?.nodes['Say why not']?.items).toMatchObject([
			{ json: { text: expect.stringMatching(/^Perhaps sent: .*may have gone through/) } },
		]);
	});

	it('believes only Slack', async () => {
		expect(await inSlack({}, 'wrong')).toBe(401);
		expect(await example.control.messages()).toEqual([]);
	});
});
