import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oldestN8n } from '../../playground/n8n/versions.ts';
import { startPlayground, type Playground } from './harness.ts';
import { workflow } from './workflow.ts';

let playground: Playground;

beforeAll(async () => {
	playground = await startPlayground({ ownN8n: { version: oldestN8n } });
});

afterAll(async () => await playground.stop());

const sender = '61491570006';
const recipient = '61491573087';

describe(`n8n ${oldestN8n}`, () => {
	it('sends through both APIs', async () => {
		const { status, nodes } = await playground.run(
			[{ text: 'From an older n8n' }],
			playground.kudosity(
				{ resource: 'sms', operation: 'send', message: '={{ $json.text }}', sender, recipient },
				{ name: 'Send' },
			),
			playground.kudosity(
				{
					resource: 'bulkSms',
					operation: 'send',
					message: 'In bulk',
					sender,
					recipients: recipient,
				},
				{ name: 'Send Bulk' },
			),
		);
		expect(status).toBe('success');
		expect(nodes.Send?.items[0]?.json).toMatchObject({ recipient, sender });
		expect(nodes['Send Bulk']?.items[0]?.json).not.toHaveProperty('error');
		const texts = (await playground.control.messages()).map(({ text }) => text);
		expect(texts).toEqual(['From an older n8n', 'In bulk']);
	});

	it('starts a workflow on an event, and removes its webhook at the end', async () => {
		const { id } = await playground.save(
			workflow({ nodes: [playground.kudosityTrigger({ events: ['SMS_INBOUND'] })] }),
		);
		await playground.rest.activate(id);
		expect(await playground.control.webhooks()).toHaveLength(1);

		await playground.control.inbound({ from: recipient, to: sender, text: 'Hello there' });
		const [execution] = await playground.rest.waitForExecutions(id, 1);
		expect(execution?.nodes['Kudosity Trigger']?.items[0]?.json).toMatchObject({
			eventType: 'SMS_INBOUND',
			text: 'Hello there',
			contact: recipient,
		});

		await playground.rest.deactivate(id);
		expect(await playground.control.webhooks()).toHaveLength(0);
	});
});
