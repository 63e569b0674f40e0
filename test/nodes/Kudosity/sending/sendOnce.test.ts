import { expect, it } from 'vitest';
import { createSendOnce } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

type Execution = { executionId?: string; node: { id?: string; name: string } };

/** What the first item of a node run comes to; `sent` counts what left. */
const sendIn = async ({ executionId, node }: Execution, sent: string[]) => {
	const context = {
		getExecutionId: () => executionId,
		getNode: () => ({ type: 'kudosity', ...node }),
		evaluateExpression: () => 0,
		getInputData: () => [],
		getWorkflow: () => ({ id: 'workflow-1' }),
	};
	const sendOnce = createSendOnce(context as never, {
		clock: fakeClock(),
		unlessStopped: async () => {},
		together: false,
	}).sendOnce(0);
	return await sendOnce({ options: {}, requestOf: () => ({ message: 'Hello' }) }, async () => {
		sent.push(node.name);
		return { id: String(sent.length) };
	});
};

it('answers the retry of a node from memory', async () => {
	const sent: string[] = [];
	const execution = { executionId: 'retried', node: { id: 'a', name: 'A' } };

	expect(await sendIn(execution, sent)).toEqual({ id: '1' });
	expect(await sendIn(execution, sent)).toEqual({ id: '1' });
	expect(sent).toEqual(['A']);
});

it('keeps two nodes without ids apart, as workflows made by an API can have them', async () => {
	const sent: string[] = [];
	await sendIn({ executionId: 'two-nodes', node: { name: 'A' } }, sent);
	await sendIn({ executionId: 'two-nodes', node: { name: 'B' } }, sent);

	expect(sent).toEqual(['A', 'B']);
});

it('keeps runs outside of any execution apart', async () => {
	const sent: string[] = [];
	await sendIn({ node: { id: 'a', name: 'A' } }, sent);
	await sendIn({ node: { id: 'a', name: 'A' } }, sent);

	expect(sent).toEqual(['A', 'A']);
});
