import { join } from 'node:path';
import { readExample as readFile, withCredentials } from '../../playground/n8n/examples.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import type { Playground } from '../e2e/harness.ts';
import { withHandMadeTables } from './handMadeTables.ts';

/** A file of `examples/` with the credentials chosen, as the file asks its user to do, and with what else they change. */
export const readExample = async (
	{ rest, credentials }: Playground,
	file: string,
	change: (node: WorkflowNode) => WorkflowNode = (node) => node,
): Promise<Workflow> => {
	const { basic, key } = credentials;
	const choose = withCredentials({ kudosityBasicApi: basic, kudosityKeyApi: key });
	const example = await readFile(join(projectFolder, 'examples', file));
	const nodes = await withHandMadeTables(rest, example.nodes);
	return { ...example, nodes: nodes.map(choose).map(change) };
};
