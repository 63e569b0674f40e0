import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const own = '61491570006';
const person = '61491571266';
const words = 'Acme may text me news and offers, at most twice a month';

const change = (node: WorkflowNode): WorkflowNode => {
	if (node.name === 'Ask to confirm') return withOptions(node, { dryRun: 'never' });
	if (node.name !== 'Add to the list') return node;
	return { ...node, parameters: { ...node.parameters, listId: '4100001' } };
};
const example = useExample({ file: 'double-opt-in.json', publish: false, change });

const signUp = async () => {
	await example.addListFields('4100001', ['Consent date', 'Consent words']);
	await example.withTables({ [optOuts]: [{ phone: '61491570158' }] });
	const id = await example.start();
	await example.control.waitForMessages({ recipient: person });
	await example.rest.waitForExecution(id, { statuses: ['waiting'] });
	return id;
};

describe('double-opt-in.json', () => {
	it('adds to the list who replies YES, with the date and the words', async () => {
		const id = await signUp();
		await example.control.inbound({ from: person, to: own, text: 'Yes' });
		const { status, error, nodes } = await example.rest.waitForExecution(id);

		expect([status, error]).toEqual(['success', undefined]);
		expect(nodes['Add to the list']?.items).toMatchObject([
			{
				json: { fields: { 'Consent words': words, 'Consent date': expect.stringMatching(/^20/) } },
			},
		]);
	});

	it.each(['No', 'STOP'])('adds nobody who replies %s', async (text) => {
		const id = await signUp();
		await example.control.inbound({ from: person, to: own, text });
		const { status, nodes } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(nodes['Add to the list']).toBeUndefined();
		expect(await example.control.messages()).toHaveLength(1);
	});
});
