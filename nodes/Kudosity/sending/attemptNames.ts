import { createHash, randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { isAlone, isSubNode, isTool } from './agentTool';

/**
 * The node in its execution, which all of its runs and all calls of an agent share: names of nodes are unique in
 * a workflow. Without an execution there is nothing that could be run again. Outside of any workflow, all calls
 * with one account share it, since the agent can ask again.
 */
export const nameOfNode = (context: IExecuteFunctions): string => {
	const { type, name, credentials } = context.getNode();
	if (isAlone(context)) return JSON.stringify([type, name, credentials]);
	return `${context.getExecutionId() ?? randomUUID()}:${name}`;
};

/**
 * By which Retry On Fail's second try of an item is recognised: its run and its place. There is none where
 * each call, and each retry, is a run of its own.
 */
export const createPlaces = (context: IExecuteFunctions) => {
	const run = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const hasPlaces = !isSubNode(context) && !isAlone(context);
	return (item: number): string | undefined => (hasPlaces ? `${run}:${item}` : undefined);
};

const fingerprintOf = (request: unknown): string =>
	createHash('sha256').update(JSON.stringify(request)).digest('base64');

/**
 * How a later try of the same send is recognised. `place`: whatever its text is by then, as an expression can
 * hold the time. `doubt`: by content, for what an agent asks again because it was told that the outcome is unknown.
 */
export const createNaming = (context: IExecuteFunctions) => {
	const placeOf = createPlaces(context);
	const hasDoubts = isTool(context);
	return (item: number, requestOf: () => unknown) => ({
		place: placeOf(item),
		doubt: hasDoubts ? fingerprintOf(requestOf()) : undefined,
	});
};

export type Names = ReturnType<ReturnType<typeof createNaming>>;
