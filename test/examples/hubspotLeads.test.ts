import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const owner = '61491570156';
const [sam, kim, stopped] = ['61491573770', '61491571266', '61491570158'] as const;

const live = (node: WorkflowNode): WorkflowNode =>
	node.parameters.resource === 'sms' ? withOptions(node, { dryRun: 'never' }) : node;

const lead = (mobilephone: string | null, minutesAgo: number, more: object = {}) => ({
	properties: {
		mobilephone,
		phone: null,
		sms_consent: 'true',
		recent_conversion_date: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
		...more,
	},
});

describe('hubspot-form-leads.json', () => {
	const leads = [
		lead('0491 570 110', 1, { sms_consent: 'false' }),
		lead('0491 570 156', 1, { sms_opt_out: 'true' }),
		lead(stopped, 1),
		lead('02 5550 1234', 1),
		lead('0491 570 157', 1, { recent_conversion_date: null }),
		lead('0491 573 770', 2),
		lead(null, 3, { phone: `+${kim}` }),
		lead('+61 491 573 770', 4),
		lead('0491 570 159', 61),
	];
	const example = useExample({
		file: 'hubspot-form-leads.json',
		publish: false,
		pin: { 'Latest leads': leads },
		change: live,
	});

	it('answers the leads of the last hour, each once a day, with nothing from the form', async () => {
		await example.withTables({ [optOuts]: [{ phone: stopped }] });
		for (let run = 0; run < 2; run++) {
			const { status, nodes } = await example.run();
			expect([status, nodes['Tell the owner']]).toEqual(['success', undefined]);
		}

		const messages = await example.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual([sam, kim]);
		expect(messages[0]?.text).toMatch(/^This is Acme\. Thank you for your question!/);
	});
});

describe('hubspot-form-leads.json, with a small limit', () => {
	const example = useExample({
		file: 'hubspot-form-leads.json',
		publish: false,
		pin: { 'Latest leads': [lead(sam, 1), lead(kim, 2), lead('0491 570 15', 3)] },
		change: (node) =>
			node.name === 'Send SMS' ? withOptions(live(node), { maxPerDay: 1 }) : live(node),
	});

	it('stops at the limit of the day, and tells the owner once', async () => {
		await example.withTables({ [optOuts]: [{ phone: stopped }] });
		for (let run = 0; run < 2; run++) expect((await example.run()).status).toBe('success');

		const messages = await example.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual([sam, owner]);
	});
});
