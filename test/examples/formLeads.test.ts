import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const owner = '61491570156';
const [sam, kim, stopped] = ['61491573770', '61491571266', '61491570158'] as const;
const box = '["You may text and call me about my question"]';

const useForm = (change?: (node: WorkflowNode) => WorkflowNode) => {
	const example = useExample({ file: 'form-leads.json', change });
	const fillIn = async (mobile: string, consent = box) => {
		const form = new FormData();
		const values = ['Mallory', mobile, 'Buy at https://example.com', consent];
		for (const [index, value] of values.entries()) form.append(`field-${index}`, value);
		const { status } = await fetch(`${example.url}/form/${example.webhookId('Lead form')}`, {
			method: 'POST',
			headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
			body: form,
		});
		return status;
	};
	const texted = async () =>
		(await example.control.messages()).map(({ recipient, text }) => [recipient, text] as const);
	return { example, fillIn, texted };
};

describe('form-leads.json', () => {
	const { example, fillIn, texted } = useForm();

	it('answers who agreed, once a day and with nothing from the form, and saves every lead', async () => {
		await example.withTables({ [optOuts]: [{ phone: stopped }] });
		expect(await fillIn('0491 571 266')).toBe(200);
		await example.executions(1);
		await fillIn('+61491571266');
		await fillIn('0491 573 770', '[]');
		await fillIn('02 5550 1234');
		await fillIn(stopped);
		const executions = await example.executions(5);

		expect(executions.map(({ status, nodes }) => [status, nodes['Save the lead']?.runs])).toEqual(
			Array(5).fill(['success', 1]),
		);
		const messages = await texted();
		expect(messages.map(([recipient]) => recipient)).toEqual([kim]);
		expect(messages[0]?.[1]).toMatch(/^This is Acme\. Thank you for your question!/);
		expect(messages[0]?.[1]).not.toMatch(/Mallory|example/);
	});

	it('saves a lead it cannot text, and tells the owner once an hour', async () => {
		await example.withTables({ [optOuts]: [{ phone: '61491570159;' }] });
		for (const mobile of ['0491 571 266', '0491 573 770']) await fillIn(mobile);
		const executions = await example.executions(2);

		expect(executions.map(({ nodes }) => nodes['Save the lead']?.runs)).toEqual([1, 1]);
		expect(await texted()).toEqual([[owner, expect.stringContaining('(invalid_input)')]]);
	});
});

describe('form-leads.json, with a small limit', () => {
	const { example, fillIn, texted } = useForm((node) =>
		node.name === 'Send SMS' ? withOptions(node, { maxPerDay: 1 }) : node,
	);

	it('stops at the limit of the day, and says so', async () => {
		await example.withTables({ [optOuts]: [{ phone: stopped }] });
		await fillIn(sam);
		await example.executions(1);
		await fillIn(kim);
		await example.executions(2);
		await fillIn('+44 7700 900123');
		await example.executions(3);

		expect(await texted()).toEqual([
			[sam, expect.stringMatching(/^This is Acme/)],
			[owner, expect.stringContaining('(limit_reached)')],
		]);
	});
});
