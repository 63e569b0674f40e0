import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useWebhook } from './useWebhook.ts';

const optOuts = 'Kudosity opt-outs';
const owner = '61491570156';
const [kim, stopped] = ['61491571266', '61491570158'] as const;

const small = (node: WorkflowNode): WorkflowNode =>
	node.name === 'Send SMS' ? withOptions(node, { maxPerDay: 3 }) : node;

describe('missed-call.json', () => {
	const { example, post } = useWebhook('missed-call.json', 'Missed call', small);
	const recipients = async () =>
		(await example.control.messages()).map(({ recipient }) => recipient);
	const open = async () => await example.withTables({ [optOuts]: [{ phone: stopped }] });

	it('texts a caller back once a day, and nobody without the header', async () => {
		await open();
		expect(await post({ from: '0491 571 266' }, 'wrong')).toBe(403);
		expect(await post({ from: '0491 571 266' })).toBe(200);
		await example.executions(1);
		await post({ from: '+61491571266' });
		const [, second] = await example.executions(2);

		expect(second?.status).toBe('success');
		expect(await example.control.messages()).toMatchObject([
			{ recipient: kim, text: expect.stringContaining('Sorry we missed your call') },
		]);
	});

	it('texts no landline, no number abroad and no opt-out, and leaves the owner alone', async () => {
		await open();
		const callers = ['02 5550 1234', '+44 7700 900123', 'anonymous', '', undefined, stopped];
		for (const from of callers) await post({ from });
		const executions = await example.executions(callers.length);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		expect(await recipients()).toEqual([]);
	});

	it('stops at the limit of the day, also when all call at once, and tells the owner once', async () => {
		await open();
		const callers = Array.from({ length: 6 }, (_, index) => String(61491000000 + index));
		await Promise.all(callers.map(async (from) => await post({ from })));
		const executions = await example.executions(callers.length);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		const texted = await recipients();
		expect(texted.filter((to) => callers.includes(to))).toHaveLength(3);
		expect(texted.filter((to) => to === owner)).toHaveLength(1);
	});
});
