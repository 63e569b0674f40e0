import { z } from 'zod/v4';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { createSession } from '../../playground/n8n/rest/session.ts';
import type { Playground } from './harness.ts';

/** In a node's panel, after a step of the node "Start": "Execute previous nodes" is exclusive, "Execute step" inclusive. */
export const runPartly = async (
	{ rest, n8n }: Playground,
	workflowId: string,
	destinationNode: { nodeName: string; mode: 'exclusive' | 'inclusive' },
): Promise<Execution> => {
	const data = { main: [[{ json: {}, pairedItem: { item: 0 } }]] };
	const start = { startTime: 0, executionTime: 1, executionIndex: 0, source: [], data };
	const { executionId } = await createSession(n8n.url, rest.cookies).call(
		'POST',
		`/workflows/${workflowId}/run`,
		z.object({ executionId: z.string() }),
		{
			workflowData: await rest.readWorkflow(workflowId),
			runData: { Start: [{ ...start, executionStatus: 'success' }] },
			destinationNode,
		},
	);
	return await rest.waitForExecution(executionId);
};
