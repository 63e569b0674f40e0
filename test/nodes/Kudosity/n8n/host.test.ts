import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { hostOf, type Host } from '../../../seams.ts';

const type = 'n8n-nodes-kudosity-messaging.kudosity';
const id = 'workflow-1';

type Facts = {
	node?: object;
	/** Null where there is none. */
	execution?: string | null;
	workflow?: object;
	mode?: string;
	/** Whether n8n gives the node the context that it has for the tools of an agent before version 3. */
	isOld?: boolean;
	continues?: boolean;
};

/** As n8n tells a node where it runs. By default, in an execution of a saved workflow. */
const host = ({ node, execution = '7', workflow = { id }, ...facts }: Facts): Host =>
	hostOf({
		getNode: () => ({ name: 'Kudosity', type, ...node }),
		getExecutionId: () => execution ?? undefined,
		getWorkflow: () => workflow,
		getMode: () => facts.mode ?? 'trigger',
		continueOnFail: () => facts.continues ?? false,
		...(facts.isOld && { getNextRunIndex: () => 0 }),
	} as unknown as IExecuteFunctions);

/** An AI Agent from version 3 runs its tool as a node of the workflow. */
const newTool = { type: `${type}Tool`, rewireOutputLogTo: 'ai_tool' };
const agents = { execution: null, workflow: {}, node: { type: `${type}Tool` } };
/** An MCP Server Trigger has the old context for its tools. */
const mcp = { execution: null, isOld: true };
const chat = { mode: 'chat', workflow: { id, name: 'Chat 67e3e4af-62e8-4515-8b67-6f20d0c51ffb' } };
const single = { mode: 'manual', workflow: { id, name: `Execute node ${type}` } };

const everything = { retry: true, execution: true, workflow: true };
const nothing = { retry: false, execution: false, workflow: false };
const plain = {
	...{ isTool: false, isReview: false, failsSoftly: false, canWait: true },
	...{ remembers: everything, where: 'this workflow' },
};
const tool = { ...plain, isTool: true, failsSoftly: true };
/** Nobody is there when a reply comes. */
const brief = { ...plain, canWait: false };

describe('where n8n runs the node decides what it can promise', () => {
	it.each<[string, Facts, Omit<Host, 'instead'>]>([
		["a workflow's execution", {}, plain],
		[
			'the tool of an agent before version 3, each try of which is a call of its own',
			{ isOld: true },
			{
				...{ ...tool, canWait: false, where: 'this AI Agent' },
				remembers: { ...everything, retry: false },
			},
		],
		['the tool of an agent from version 3', { node: newTool }, tool],
		[
			'a human review',
			{ node: { ...newTool, type: `${type}HitlTool` } },
			{ ...tool, isReview: true },
		],
		[
			"n8n's Agents",
			agents,
			{
				...{ ...brief, isTool: true, remembers: nothing },
				where: "n8n's Agents, which run this node outside a workflow",
			},
		],
		[
			'an MCP Server Trigger',
			mcp,
			{
				...{ ...brief, isTool: true, remembers: { ...everything, retry: false } },
				where: 'an MCP Server Trigger',
			},
		],
		[
			"n8n's Chat",
			chat,
			{
				...{ ...brief, remembers: { ...everything, workflow: false } },
				where: "n8n's Chat, which uses a temporary workflow for each turn",
			},
		],
		[
			"a step of n8n's AI Assistant",
			single,
			{
				...{ ...brief, remembers: nothing },
				where: "n8n's AI Assistant, which runs this node in a temporary workflow",
			},
		],
	])('%s', (_, facts, expected) => {
		expect(host(facts)).toMatchObject(expected);
	});

	it.each<[string, Facts]>([
		['a workflow that a user named after a turn of the Chat', { ...chat, mode: 'trigger' }],
		['another workflow in chat mode', { ...chat, workflow: { id, name: 'Chat support' } }],
		['a workflow that a user named after a single step', { ...single, mode: 'trigger' }],
		[
			'a workflow that is named after a step of another node',
			{ ...single, workflow: { id, name: 'Execute node n8n.other' } },
		],
	])('%s is a workflow like any other', (_, facts) => {
		expect(host(facts)).toMatchObject(plain);
	});

	it('a tool in the Chat has the limits of both', () => {
		expect(host({ ...chat, isOld: true })).toMatchObject({
			...{ isTool: true, canWait: false, where: expect.stringContaining("n8n's Chat") },
			remembers: { retry: false, execution: true, workflow: false },
		});
	});

	it.each<[string, Facts, object]>([
		['Retry On Fail of an old agent', { isOld: true }, { retryOnFail: true }],
		['On Error of an old agent', { isOld: true }, { onError: 'stopWorkflow' }],
		['On Error of a new agent', { node: newTool }, { ...newTool, onError: 'stopWorkflow' }],
	])('%s sees what its tool throws', (_, facts, node) => {
		expect(host(facts).failsSoftly).toBe(true);
		expect(host({ ...facts, node }).failsSoftly).toBe(false);
	});

	it('Retry On Fail of a new agent does not, since what its tool throws would end the agent', () => {
		expect(host({ node: { ...newTool, retryOnFail: true } }).failsSoftly).toBe(true);
	});

	it('On Error: Continue applies everywhere', () => {
		for (const facts of [{}, agents, mcp, chat, single]) {
			expect(host({ ...facts, continues: true }).failsSoftly).toBe(true);
		}
	});

	it('what to do instead works, and never is to remove a limit', () => {
		for (const facts of [agents, mcp, chat, single]) {
			const { instead } = host(facts);
			expect(instead).toMatch(/saved workflow/);
			expect(instead).not.toMatch(/remove|switch off|without/i);
		}
		expect(host({ isOld: true }).instead).toBe('Use version 3 or later of the AI Agent node');
	});
});
