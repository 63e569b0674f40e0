import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * Lets the execution wait. When the time is over, n8n does not call the node: it passes on what is parked, by
 * default the input.
 */
export const park = async (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	untilMs: number,
): Promise<void> => {
	context.getExecuteData().data = { main: [items] };
	await context.putExecutionToWait(new Date(untilMs));
};
