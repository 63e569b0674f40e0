import { randomUUID } from 'node:crypto';
import { packageName } from '../../playground/n8n/pack.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';

/** What a test cares about in a node; the rest is filled in. */
export type NodeDraft = Partial<WorkflowNode> & Pick<WorkflowNode, 'type'>;

export const kudosityType = `${packageName}.kudosity`;
export const kudosityTriggerType = `${packageName}.kudosityTrigger`;

/**
 * Poll Times of a polling trigger. n8n refuses an interval of seconds, but not thirty times of every minute. A poll takes
 * less than two seconds as a rule, also if Kudosity refuses it once, since it is repeated within a second.
 */
export const everyTwoSeconds = {
	pollTimes: {
		item: Array.from({ length: 30 }, (_, index) => ({
			mode: 'custom',
			cronExpression: `${index * 2} * * * * *`,
		})),
	},
};

/** A node as the editor would save it: a trigger without `webhookId` gets an address nobody expects. */
export const node = ({ type, ...draft }: NodeDraft): WorkflowNode => ({
	id: randomUUID(),
	name: 'Node',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...(/trigger$|webhook$/i.test(type) && { webhookId: randomUUID() }),
	...draft,
	type,
});

export const manualTrigger = (): WorkflowNode =>
	node({ name: 'Start', type: 'n8n-nodes-base.manualTrigger' });

/** A node that passes its items on: what arrived there is what its predecessor sent. */
export const noOperation = (name: string): WorkflowNode =>
	node({ name, type: 'n8n-nodes-base.noOp' });

/** The condition of a Filter, If or Switch node that compares two values. */
export const condition = (
	leftValue: string,
	operator: { type: string; operation: string; singleValue?: boolean },
	rightValue: unknown = '',
) => ({
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
		combinator: 'and',
		conditions: [{ leftValue, rightValue, operator }],
	},
});

/** Connects each node's first output with the next node. */
export const chain = (nodes: WorkflowNode[]): Workflow['connections'] =>
	Object.fromEntries(
		nodes.slice(0, -1).map(({ name }, index) => {
			const next = { node: nodes[index + 1]?.name, type: 'main', index: 0 };
			return [name, { main: [[next]] }];
		}),
	);

type WorkflowDraft = {
	nodes: WorkflowNode[];
	name?: string;
	/** One after the other when absent. */
	connections?: Workflow['connections'];
	/** What the first node hands on instead of running; only manual runs honour it. */
	items?: object[];
};

export const workflow = ({ nodes, name, connections, items }: WorkflowDraft): Workflow => {
	const first = nodes[0];
	const pinned = first && items?.map((json) => ({ json }));
	return {
		name: name ?? `Test ${randomUUID()}`,
		nodes: nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
		connections: connections ?? chain(nodes),
		settings: { executionOrder: 'v1' },
		pinData: pinned ? { [first.name]: pinned } : {},
	};
};
