import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { useExample } from './useExample.ts';

const listId = { __rl: true, mode: 'id', value: '4100001' };
const choosing = (node: WorkflowNode, dryRun?: string): WorkflowNode => {
	const { parameters } = node;
	if (node.name === 'List') return { ...node, parameters: { ...parameters, listId } };
	const options = { ...(parameters.options as object), ...(dryRun && { dryRun }) };
	return node.name === 'Send bulk SMS' ? { ...node, parameters: { ...parameters, options } } : node;
};

describe('bulk-sms-to-list.json', () => {
	const example = useExample({
		file: 'bulk-sms-to-list.json',
		change: (node) => choosing(node, 'never'),
		publish: false,
	});

	it('sends to the list once, however often it is run', async () => {
		const first = await example.run();
		const second = await example.run();

		expect([first.status, second.status]).toEqual(['success', 'success']);
		expect(second.nodes['Send bulk SMS']?.items).toMatchObject([
			{ json: { code: 'already_messaged' } },
		]);
		const messages = await example.control.messages();
		expect(messages).toHaveLength(1);
		expect(messages[0]).toMatchObject({ sender: '61491570006', parts: 1 });
		expect(messages[0]?.recipients).toHaveLength(3);
	});
});

describe('bulk-sms-to-list.json as it is', () => {
	const example = useExample({
		file: 'bulk-sms-to-list.json',
		change: (node) => choosing(node),
		publish: false,
	});

	it('sends nothing in the editor, and shows whom it is for and what it costs', async () => {
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes.List?.items).toMatchObject([{ json: { members_active: 3 } }]);
		expect(nodes['Send bulk SMS']?.items).toMatchObject([
			{ json: { outcome: 'dryRun', parts: 1 } },
		]);
		expect(await example.control.messages()).toEqual([]);
	});
});
