import { basename } from 'node:path';
import {
	workflowSchema,
	type Workflow,
	type WorkflowNode,
} from '../../playground/n8n/rest/workflows.ts';
import { projectFiles } from './projectFiles.ts';

const files = projectFiles('examples', '.json');

/** Where each file of `examples/` is, by its name. */
export const examplePaths: Readonly<Record<string, string>> = Object.fromEntries(
	Object.keys(files).map((path) => [basename(path), path]),
);

/** The workflows in `examples/`, by file name. */
export const exampleFiles: Record<string, Workflow> = Object.fromEntries(
	Object.entries(files).map(([path, text]) => [
		basename(path),
		workflowSchema.parse(JSON.parse(text)),
	]),
);

/** Examples that need n8n 2, with the node that n8n 1.123 lacks. */
export const onlyForN8n2: Readonly<Record<string, string>> = {
	'reviewed-agent.json': 'n8n-nodes-kudosity-messaging.kudosityHitlTool 1',
};

export const isKudosity = ({ type }: WorkflowNode): boolean =>
	/\.kudosity(Tool|HitlTool)?$/.test(type);
export const isKudosityTrigger = ({ type }: WorkflowNode): boolean =>
	/\.kudosity(Polling)?Trigger$/.test(type);
