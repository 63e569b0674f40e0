import { stringify } from 'flatted';
import { describe, expect, it } from 'vitest';
import { readExecution } from '../../../playground/n8n/execution.ts';

const read = (data: string, status = 'success') =>
	readExecution({ id: '7', workflowId: 'w', status, mode: 'manual', data });

describe('readExecution', () => {
	it('shows what left each output of a node', () => {
		const item = { json: { id: 'a' }, pairedItem: { item: 0 } };
		const run = { executionStatus: 'success', data: { main: [[item], null, [item, item]] } };
		const { nodes } = read(stringify({ resultData: { runData: { Kudosity: [run] } } }));
		expect(nodes.Kudosity?.items).toEqual([item]);
		expect(nodes.Kudosity?.outputs).toEqual([[item], [], [item, item]]);
	});

	it('shows the error that ended the execution, and where', () => {
		const error = { message: 'The sender is not yours', description: 'Choose another' };
		const resultData = { runData: { Kudosity: [{ error }] }, lastNodeExecuted: 'Kudosity', error };
		const execution = read(stringify({ resultData }), 'error');
		expect(execution).toMatchObject({ status: 'error', lastNode: 'Kudosity', error });
		expect(execution.nodes.Kudosity).toMatchObject({ error, items: [] });
	});

	it('reads an execution that has not begun', () => {
		expect(read('[]', 'new').nodes).toEqual({});
	});
});
