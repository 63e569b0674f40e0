import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { keepWait } from './earlierWait';

/**
 * Lets the execution wait. When the time is over, n8n does not call the node: it passes on what is parked, by
 * default the input. It does so by switching off the node of this call, which is therefore a copy: an agent's calls
 * that wait for their turn share the other one.
 */
export const park = async (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	untilMs: number,
): Promise<void> => {
	const call = context.getExecuteData();
	call.data = { main: [items] };
	call.node = { ...call.node };
	await context.putExecutionToWait(new Date(untilMs));
	keepWait(context, untilMs);
};
