import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';
import { useWebhook } from './useWebhook.ts';

const optOuts = 'Kudosity opt-outs';
const [sam, kim, stopped] = ['61491573770', '61491571266', '61491570158'] as const;

const live = (node: WorkflowNode): WorkflowNode =>
	node.parameters.resource === 'sms' ? withOptions(node, { dryRun: 'never' }) : node;

const parcel = (phone: string | null) => ({
	id: 1,
	order_id: 2,
	name: '#1001.1',
	tracking_url: 'https://example.com/t',
	destination: { country_code: 'AU', phone },
});

describe('shopify-order-shipped.json', () => {
	const example = useExample({
		file: 'shopify-order-shipped.json',
		publish: false,
		pin: { 'Order shipped': [parcel('0491 571 266')] },
		change: live,
	});

	it('texts the tracking link, once for each parcel', async () => {
		await example.withTables({ [optOuts]: [{ phone: stopped }] });
		for (let run = 0; run < 2; run++) expect((await example.run()).status).toBe('success');

		expect(await example.control.messages()).toMatchObject([
			{
				recipient: kim,
				message_ref: 'order-2',
				text: 'Your Acme order #1001 is on its way. https://example.com/t',
			},
		]);
	});

	const withoutPhone = useExample({
		file: 'shopify-order-shipped.json',
		publish: false,
		pin: { 'Order shipped': [parcel(null)] },
		change: live,
	});

	it('leaves out an order without a phone number', async () => {
		await withoutPhone.withTables({ [optOuts]: [{ phone: stopped }] });
		expect((await withoutPhone.run()).status).toBe('success');
		expect(await withoutPhone.control.messages()).toEqual([]);
	});
});

describe('review-request.json', () => {
	const { example, post } = useWebhook('review-request.json', 'Order delivered', (node) =>
		node.name === 'Three days later'
			? { ...node, parameters: { ...node.parameters, dateTime: '={{ $now.toISO() }}' } }
			: node,
	);
	const open = { [optOuts]: [{ phone: stopped }] };

	it('asks each customer once, however often they order, and nobody who opted out', async () => {
		await example.withTables(open);
		expect(await post({ phone: kim }, 'wrong')).toBe(403);
		for (const phone of [kim, `+${kim}`, sam, stopped]) expect(await post({ phone })).toBe(200);
		const executions = await example.executions(4);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		const messages = await example.control.messages();
		expect(messages.map(({ recipient }) => recipient).sort()).toEqual([kim, sam]);
	});

	const asItComes = useWebhook('review-request.json', 'Order delivered');
	beforeEach(async () => await asItComes.example.withTables(open));

	it('waits until the third day', async () => {
		const { rest } = asItComes.example;
		await asItComes.post({ phone: sam });
		const workflowId = asItComes.example.id();
		const waiting = async () => {
			const all = await rest.listExecutions({ workflowId });
			return all.find((execution) => execution.status === 'waiting')?.waitTill;
		};
		await expect.poll(waiting, { timeout: 30_000 }).toBeTruthy();
		const till = new Date(String(await waiting()));
		const hour = till.toLocaleString('en-AU', { timeZone: 'Australia/Sydney', hour: 'numeric' });
		expect(hour).toMatch(/^10\b/);
		const days = (till.getTime() - Date.now()) / 86_400_000;
		expect(days).toBeGreaterThan(2.3);
		expect(days).toBeLessThan(3.7);
	});
});
