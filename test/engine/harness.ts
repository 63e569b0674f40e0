/**
 * Runs the built nodes inside n8n's own engine (n8n-core), in this process, against a real HTTP server.
 * Everything that mocks would hide is real: request helper, credentials, Retry On Fail, Continue On Fail, item pairing.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
	Workflow,
} from 'n8n-workflow';
import { axios, packageFolder, type Process, require } from './engineModules.ts';

process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'kudosity-engine-'));
process.env.N8N_ENCRYPTION_KEY = 'engine-test-key';
process.env.N8N_LOG_LEVEL = 'silent';

require('reflect-metadata');
const core: typeof import('n8n-core') = require('n8n-core');
const workflowModule: typeof import('n8n-workflow') = require('n8n-workflow');

export const packageName = 'n8n-nodes-kudosity-messaging';

export type CredentialData = Record<string, IDataObject>;

/** Shortens the nodes' 30 s timeout for tests that trigger it. Returns a function that restores it. */
export const shortenTimeouts = (timeoutMs: number): (() => void) => {
	const shorten = (config: object) => Object.assign(config, { timeout: timeoutMs });
	const id = axios.interceptors.request.use(shorten);
	return () => axios.interceptors.request.eject(id);
};

/** Passes its items on. n8n treats a node without `execute` as declarative. */
const start: INodeType = {
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['transform'],
		version: 1,
		description: 'Passes its items on',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: [workflowModule.NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

const loadPackage = async (process: Process) => {
	const loader = new core.PackageDirectoryLoader(packageFolder(process));
	await loader.loadAll();
	const ours = Object.entries(loader.nodeTypes).map(
		([name, { type }]) => [`${packageName}.${name}`, type as INodeType] as const,
	);
	const nodes = new Map<string, INodeType>([...ours, ['start', start]]);
	return { nodes, credentialTypes: loader.credentialTypes };
};

const loaded: Partial<Record<Process, ReturnType<typeof loadPackage>>> = {};
const loadOnce = async (process: Process = 'first') =>
	await (loaded[process] ??= loadPackage(process));

type Package = Awaited<ReturnType<typeof loadPackage>>;

type DecryptedArguments = Parameters<
	InstanceType<typeof workflowModule.ICredentialsHelper>['getDecrypted']
>;

/** Types of the credentials requested from n8n. */
const reads: string[] = [];

/** How many times a task requests a credential from n8n. */
export const countCredentialReads = async (task: () => Promise<unknown>): Promise<number> => {
	const before = reads.length;
	await task();
	return reads.length - before;
};

const createCredentialsHelper = ({ credentialTypes }: Package, data: CredentialData) => {
	// The engine calls only these methods. Extending the abstract class itself would need types that tests lack.
	const Base = workflowModule.ICredentialsHelper as unknown as new () => object;
	class Credentials extends Base {
		getParentTypes() {
			return [];
		}
		isCredentialUsableByNode() {
			return true;
		}
		async preAuthentication() {
			return undefined;
		}
		async runPreAuthentication() {
			return undefined;
		}
		async getDecrypted(...args: DecryptedArguments) {
			const [, , type, mode, executeData, , values] = args;
			reads.push(type);
			if (!values) return { ...data[type] };
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
			return workflow.expression.getParameterValue(
				{ ...data[type] } as never,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
			);
		}
		async authenticate(credentials: IDataObject, type: string, options: IDataObject) {
			const authenticate = credentialTypes[type]?.type.authenticate;
			if (typeof authenticate !== 'function') throw new Error(`${type} has no authenticate`);
			return await authenticate(credentials as never, options as never);
		}
		async getCredentials(): Promise<never> {
			throw new Error('unused');
		}
		async updateCredentials() {}
		async updateCredentialsOauthTokenData() {}
		getCredentialsProperties() {
			return [];
		}
	}
	return new Credentials();
};

const nodeTypesOf = ({ nodes }: Package) => {
	const byName = (name: string) => nodes.get(name.replace(/(Hitl)?Tool$/, ''))!;
	return { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
};

let executions = 0;

const credentialReferences = (data: CredentialData) =>
	Object.fromEntries(Object.keys(data).map((type) => [type, { id: type, name: type }]));

const createContextData = (
	pack: Package,
	credentials: CredentialData,
	workflow: Workflow,
	{
		n8nUrl = 'http://localhost:5678',
		executionId = `engine-${++executions}`,
	}: Pick<RunOptions, 'n8nUrl' | 'executionId'> = {},
) => {
	const base = `${n8nUrl}/`;
	return {
		credentialsHelper: createCredentialsHelper(pack, credentials),
		hooks: new core.ExecutionLifecycleHooks('manual', executionId, {
			id: workflow.id,
			name: workflow.name ?? '',
			nodes: Object.values(workflow.nodes),
			connections: workflow.connectionsBySourceNode,
		} as never),
		executionId,
		restApiUrl: '',
		instanceBaseUrl: base,
		webhookBaseUrl: `${base}webhook`,
		webhookTestBaseUrl: `${base}webhook-test`,
		webhookWaitingBaseUrl: `${base}webhook-waiting`,
		formWaitingBaseUrl: `${base}form-waiting`,
		variables: {},
		currentNodeExecutionIndex: 0,
		setExecutionStatus: () => undefined,
	} as unknown as IWorkflowExecuteAdditionalData;
};

export type NodeSettings = Partial<
	Pick<
		INode,
		| 'id'
		| 'retryOnFail'
		| 'maxTries'
		| 'waitBetweenTries'
		| 'onError'
		| 'name'
		| 'webhookId'
		| 'executeOnce'
	>
>;

type OurNode = 'kudosity' | 'kudosityTrigger' | 'kudosityPollingTrigger';
/** The packages of the nodes that are n8n's own: the trigger of a sub-workflow, and an agent. */
const packageOf = {
	executeWorkflowTrigger: 'n8n-nodes-base',
	agent: '@n8n/n8n-nodes-langchain',
};

/** A node that ran before, in this execution or, as the editor's steps have it, in an earlier one. */
type EarlierNode = {
	name: string;
	items: IDataObject[];
	/** Default: Contact → Get Opted Out. */
	operation?: string;
	/** Default: the action node. */
	type?: OurNode | keyof typeof packageOf;
	/** Whether an agent called it, so its rows are in an output for agents. */
	isTool?: boolean;
	/** Default: on. */
	returnAll?: boolean;
	/** Default: a moment ago. */
	ranMsAgo?: number;
	/** How often it ran, each time with the same items. Default: once. */
	runs?: number;
	/** The items of a run before those. */
	itemsBefore?: IDataObject[];
	/** When it ran, in milliseconds since 1970. Default: `ranMsAgo`. */
	startTime?: number;
	/** Whether it is in a branch of its own, not before the node. */
	isApart?: boolean;
	/** Whether its data is pinned. */
	isPinned?: boolean;
	/** Whether it is only in the workflow, and did not run. */
	isWaiting?: boolean;
};

/** Contact → Get Opted Out stands for all nodes with "Return All". */
const toEarlierNode = ({
	name,
	operation = 'contact/getOptedOut',
	type = 'kudosity',
	isTool,
	returnAll = true,
}: EarlierNode): INode => ({
	id: name,
	name,
	type: `${type in packageOf ? packageOf[type as keyof typeof packageOf] : packageName}.${type}${isTool ? 'Tool' : ''}`,
	typeVersion: 1,
	position: [-200, 0],
	parameters: {
		resource: operation.split('/')[0]!,
		operation: operation.split('/')[1]!,
		...(operation.endsWith('getOptedOut') && { from: 'all', returnAll }),
	},
});

const pinnedIn = (earlier: EarlierNode[]) =>
	Object.fromEntries(
		earlier.flatMap(({ name, items, isPinned }) =>
			isPinned ? [[name, items.map((json) => ({ json }))]] : [],
		),
	);

const runsOf = ({ items, runs = 1, itemsBefore }: Partial<EarlierNode>): IDataObject[][] => [
	...(itemsBefore ? [itemsBefore] : []),
	...Array.from({ length: runs }, () => items ?? []),
];

const runDataOf = (earlier: EarlierNode[]) =>
	Object.fromEntries(
		earlier
			.filter(({ isWaiting }) => !isWaiting)
			.map(({ name, isTool, ranMsAgo = 0, startTime, ...node }, executionIndex, all) => [
				name,
				runsOf(node).map((items) => ({
					startTime: startTime ?? Date.now() - ranMsAgo,
					executionTime: 1,
					executionIndex,
					executionStatus: 'success',
					source: all
						.slice(0, executionIndex)
						.slice(-1)
						.map((before) => ({ previousNode: before.name })),
					data: {
						[isTool ? 'ai_tool' : 'main']: [
							items.map((json) => ({ json, pairedItem: { item: 0 } })),
						],
					},
				})),
			]),
	);

const buildWorkflow = (
	pack: Package,
	type: OurNode,
	options: {
		earlier?: EarlierNode[];
		laterRounds?: IDataObject[][];
		parameters: IDataObject;
		credentials: CredentialData;
		settings?: NodeSettings;
		workflowId?: string;
		workflowName?: string;
		executionTimeout?: number;
	},
) => {
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'start',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node: INode = {
		id: 'node',
		name: 'Kudosity',
		type: `${packageName}.${type}`,
		typeVersion: 1,
		position: [200, 0],
		parameters: options.parameters as INode['parameters'],
		credentials: credentialReferences(options.credentials),
		...options.settings,
	};
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const { earlier = [] } = options;
	const connections = {
		...Object.fromEntries(
			earlier.filter(({ isApart }) => !isApart).map(({ name }) => [name, to('Start')]),
		),
		Start: to(node.name),
		// As in a loop, Start comes after the node, too. Nothing comes out of the output that is connected to it.
		...(options.laterRounds && {
			[node.name]: { main: [[], [], [{ node: 'Start', type: 'main' as const, index: 0 }]] },
		}),
	};
	const workflow = new workflowModule.Workflow({
		id: options.workflowId ?? 'workflow-1',
		name: options.workflowName ?? 'Engine test',
		nodes: type === 'kudosity' ? [...earlier.map(toEarlierNode), start, node] : [node],
		connections: type === 'kudosity' ? connections : {},
		active: false,
		nodeTypes: nodeTypesOf(pack) as never,
		pinData: pinnedIn(earlier) as never,
		settings: { executionOrder: 'v1', executionTimeout: options.executionTimeout },
	});
	return { workflow, node: workflow.getNode(node.name)! };
};

export type RunOptions = {
	/** Fields of the node, including `resource` and `operation`. */
	parameters: IDataObject;
	credentials: CredentialData;
	/** How the execution was started. Default: `manual`, i.e. from the editor. */
	mode?: WorkflowExecuteMode;
	/** Input items. Default: one empty item. */
	items?: IDataObject[];
	/** What the items have besides their JSON: binary data and paired items. */
	rest?: Array<Omit<INodeExecutionData, 'json'>>;
	/** Nodes that the node's expressions read, the one before Start last. */
	earlier?: EarlierNode[];
	/** Items of further loop rounds. The node runs once more for each, in the same execution. */
	laterRounds?: IDataObject[][];
	settings?: NodeSettings;
	/** Stops the execution once this resolves, as the editor's Stop button does. */
	stopWhen?: () => Promise<unknown>;
	/** The URL that deliveries to this n8n use. */
	n8nUrl?: string;
	/** Default: a new ID. */
	executionId?: string;
	workflowId?: string;
	workflowName?: string;
	/** The workflow's setting Timeout Workflow, in seconds. */
	executionTimeout?: number;
	/** Default: the first one. */
	process?: Process;
};

export type RunResult = {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of every output. The second is the error output. */
	outputs: INodeExecutionData[][];
	json: IDataObject[];
	/** What the editor shows above the output. */
	hints: string[];
	error:
		| {
				message: string;
				description?: string | null;
				httpCode?: string;
				itemIndex?: number;
				/** The machine-readable reason. */
				code?: unknown;
				/** The failure classification passed to n8n. */
				failure?: unknown;
		  }
		| undefined;
	run: IRun;
	executionId: string;
	/** Delivers a request to the waiting node, by default in the process that ran it. */
	receive: (request: object, response: object, at?: Process) => Promise<IWebhookResponseData>;
	/** Resumes after a wait, with the data from `receive`, or with the parked items once the time is up. */
	goOn: (data?: INodeExecutionData[][]) => Promise<INodeExecutionData[]>;
	/** Runs the node again later in the same execution, as in a loop. */
	again: (options?: Pick<RunOptions, 'stopWhen'>) => Promise<IRun>;
};

type Placed = {
	pack: Package;
	workflow: Workflow;
	node: INode;
	additionalData: IWorkflowExecuteAdditionalData;
};

/** The context in which n8n passes a request to a node. A waiting execution has its run data so far. */
const webhookContext = (
	{ pack, workflow, node, additionalData }: Placed,
	request: object,
	response: object,
	runData: IRun['data'] | null = null,
) => {
	const webhookDescription = pack.nodes.get(node.type)!.description.webhooks?.[0];
	return new core.WebhookContext(
		workflow,
		node,
		{ ...additionalData, httpRequest: request, httpResponse: response } as never,
		'webhook',
		{ webhookDescription } as never,
		[],
		runData,
	);
};

type Waiting = Placed & { run: IRun };

/** A waiting execution, loaded afresh each time, as n8n does from its database. */
const createWaiting = ({ pack, workflow, node, additionalData, run }: Waiting) => {
	const stored = () => structuredClone(run.data);
	const nodeType = pack.nodes.get(node.type)!;
	return {
		receive: async (
			request: object,
			response: object,
			at?: Process,
		): Promise<IWebhookResponseData> => {
			const context = webhookContext(
				{ pack, workflow, node, additionalData },
				request,
				response,
				stored(),
			);
			const receiver = at ? (await loadOnce(at)).nodes.get(node.type)! : nodeType;
			return await receiver.webhook!.call(context as never);
		},
		goOn: async (data?: INodeExecutionData[][]): Promise<INodeExecutionData[]> => {
			const again = stored();
			const [entry] = again.executionData!.nodeExecutionStack;
			if (data) entry!.data.main = data;
			const execution = new core.WorkflowExecute(additionalData, 'manual', again);
			const { data: ended } = await execution.processRunExecutionData(workflow);
			return ended.resultData.runData[node.name]?.at(-1)?.data?.main?.[0] ?? [];
		},
		again: async ({ stopWhen }: Pick<RunOptions, 'stopWhen'> = {}): Promise<IRun> => {
			const later = stored();
			delete later.waitTill;
			const data = { main: [[{ json: {}, pairedItem: { item: 0 } }]] };
			later.executionData!.nodeExecutionStack = [{ node, data, source: null }];
			const execution = new core.WorkflowExecute(additionalData, 'manual', later);
			const running = execution.processRunExecutionData(workflow);
			void stopWhen?.().then(() => running.cancel());
			return await running;
		},
	};
};

/** Runs Start → Kudosity once, as a manual execution. */
export const runKudosity = async (options: RunOptions): Promise<RunResult> => {
	const pack = await loadOnce(options.process);
	const { workflow, node } = buildWorkflow(pack, 'kudosity', options);
	const rounds = [options.items ?? [{}], ...(options.laterRounds ?? [])].map((items) =>
		items.map((json, item) => ({ json, pairedItem: { item }, ...options.rest?.[item] })),
	);
	const { earlier = [] } = options;
	const previous = earlier.at(-1);
	const source = previous && { main: [{ previousNode: previous.name }] };
	const runData = workflowModule.createRunExecutionData({
		resultData: { runData: runDataOf(earlier), pinData: pinnedIn(earlier) },
		executionData: {
			nodeExecutionStack: rounds.map((input) => ({
				node: workflow.getNode('Start')!,
				data: { main: [input] },
				source: source ?? null,
			})),
		},
	} as never);
	const additionalData = createContextData(pack, options.credentials, workflow, options);
	const execution = new core.WorkflowExecute(additionalData, options.mode ?? 'manual', runData);
	const running = execution.processRunExecutionData(workflow);
	void options.stopWhen?.().then(() => running.cancel());
	const run = await running;
	const { resultData } = run.data;
	const task = resultData.runData[node.name]?.at(-1);
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	const error = task?.error ?? resultData.error;
	return {
		outputs,
		items: outputs[0] ?? [],
		json: (outputs[0] ?? []).map(({ json }) => json),
		hints: (task?.hints ?? []).map(({ message }) => message),
		error: error && {
			message: error.message,
			description: error.description,
			httpCode: 'httpCode' in error ? (error.httpCode ?? undefined) : undefined,
			itemIndex: error.context?.itemIndex as number | undefined,
			code: error.context?.code,
			failure: 'failure' in error ? error.failure : undefined,
		},
		run,
		executionId: additionalData.executionId!,
		...createWaiting({ pack, workflow, node, additionalData, run }),
	};
};

/** Counts how often a run reads a field from n8n, and how many milliseconds that takes in total. */
export const timeFields = async <Result>(run: () => Promise<Result>) => {
	type Reads = { _getNodeParameter?: (...args: unknown[]) => unknown };
	const context = core.ExecuteContext.prototype as unknown as Reads;
	const read = context._getNodeParameter!;
	const fields = { reads: 0, ms: 0 };
	context._getNodeParameter = function (...args) {
		const begunMs = performance.now();
		try {
			return read.apply(this, args);
		} finally {
			fields.reads++;
			fields.ms += performance.now() - begunMs;
		}
	};
	try {
		return { result: await run(), fields };
	} finally {
		// Uncovers the inherited method again.
		delete context._getNodeParameter;
	}
};

export type ToolOptions = Omit<RunOptions, 'items' | 'stopWhen'> & {
	/** How many items the agent has. Default: one. */
	agentItems?: number;
	/** Called by an MCP Server Trigger, before there is an execution. */
	isMcp?: boolean;
};

/**
 * The node as an AI agent's tool, called as n8n does: each call, and each retry, is a separate run. Expressions read
 * the agent's arguments from `$json` or `$fromAI`.
 */
export const createTool = async ({ isMcp, agentItems = 1, ...options }: ToolOptions) => {
	const pack = await loadOnce();
	const { workflow, node } = buildWorkflow(pack, 'kudosity', options);
	const additionalData = createContextData(pack, options.credentials, workflow, options);
	if (isMcp) Object.assign(additionalData, { executionId: undefined, hooks: undefined });
	const runData = workflowModule.createRunExecutionData({
		resultData: { runData: runDataOf(options.earlier ?? []) },
	} as never);
	const {
		makeHandleToolInvocation,
	}: typeof import('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data') = require('n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data');
	const items = Array.from({ length: agentItems }, () => ({ json: {} }));
	const executeData = { node, data: { main: [items] }, source: null };
	let given: IDataObject = {};
	const contextAt = (runIndex: number) =>
		new core.SupplyDataContext(
			workflow,
			node,
			additionalData,
			'manual',
			runData,
			runIndex,
			[{ json: given }],
			{},
			workflowModule.NodeConnectionTypes.AiTool,
			executeData as never,
			[],
		);
	const call = makeHandleToolInvocation(contextAt, node, pack.nodes.get(node.type)!, runData);
	// Its context is made before anything is awaited, so that calls can run side by side.
	return async (args: IDataObject = {}): Promise<unknown> => {
		given = args;
		return await call(args);
	};
};

/**
 * The node as n8n's Agents (2.41) call it: without a workflow or execution, with a new node each time. Expressions
 * read the agent's arguments from `$json`. Of an error, the agent only sees the message.
 */
export const createLoneTool = async ({
	parameters,
	credentials,
}: Pick<RunOptions, 'parameters' | 'credentials'>) => {
	const pack = await loadOnce();
	const nodeType = pack.nodes.get(`${packageName}.kudosity`)!;
	return async (args: IDataObject = {}): Promise<IDataObject[]> => {
		const node: INode = {
			id: randomUUID(),
			name: 'Target Node',
			type: `${packageName}.kudosityTool`,
			typeVersion: 1,
			position: [0, 0],
			parameters: parameters as INode['parameters'],
			credentials: credentialReferences(credentials),
		};
		const workflow = new workflowModule.Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: nodeTypesOf(pack) as never,
		});
		const data = createContextData(pack, credentials, workflow);
		const lone = { ...data, executionId: undefined, hooks: undefined };
		const items = [{ json: args }];
		const context = new core.ExecuteContext(
			workflow,
			node,
			lone as never,
			'internal',
			workflowModule.createRunExecutionData({} as never),
			0,
			items,
			{ main: [items] },
			{ node, data: { main: [items] }, source: null },
			[],
		);
		const [output = []] = (await nodeType.execute!.call(
			context as never,
		)) as INodeExecutionData[][];
		return output.map(({ json }) => json);
	};
};

/** The contexts in which n8n calls a trigger and the drop-downs of a node. */
export const createContexts = async (
	type: OurNode,
	options: {
		parameters: IDataObject;
		credentials: CredentialData;
		settings?: NodeSettings;
		workflowId?: string;
		/** 'test' is "Listen for test event"; 'production' is a published workflow. */
		webhook?: 'test' | 'production';
		/** The value of `$vars` in expressions. */
		variables?: Record<string, unknown>;
		process?: Process;
	},
) => {
	const pack = await loadOnce(options.process);
	const { workflow, node } = buildWorkflow(pack, type, options);
	const additionalData = createContextData(pack, options.credentials, workflow);
	Object.assign(additionalData, { variables: options.variables ?? {} });
	const nodeType = pack.nodes.get(node.type)!;
	const webhookDescription = nodeType.description.webhooks?.[0];
	const isTest = options.webhook === 'test';
	return {
		nodeType,
		workflow,
		node,
		hook: () =>
			new core.HookContext(
				workflow,
				node,
				additionalData,
				isTest ? 'manual' : 'trigger',
				isTest ? 'manual' : 'activate',
				{ webhookDescription, isTest } as never,
			),
		webhook: (request: object, response: object) =>
			webhookContext({ pack, workflow, node, additionalData }, request, response),
		poll: (mode: 'trigger' | 'manual', activation: WorkflowActivateMode) =>
			new core.PollContext(workflow, node, additionalData, mode, activation, () => {}),
		loadOptions: (parameterPath: string) =>
			new core.LoadOptionsContext(workflow, node, additionalData, parameterPath),
	};
};

type Deduplicator = {
	checkProcessedAndRecord(
		items: unknown[],
		scope: string,
		contextData: unknown,
		options: { maxEntries?: number },
	): Promise<{ new: unknown[]; processed: unknown[] }>;
	removeProcessed(items: unknown[]): Promise<void>;
	getProcessedDataCount(): Promise<number>;
};

let deduplicator: Deduplicator | undefined;

/** n8n accepts one deduplicator per process, and test files share a process. */
const useDeduplicator = async (chosen: Deduplicator): Promise<void> => {
	const isFirst = deduplicator === undefined;
	deduplicator = chosen;
	if (!isFirst) return;
	const { DataDeduplicationService } = core as unknown as {
		DataDeduplicationService: { init(deduplicator: Deduplicator): Promise<void> };
	};
	await DataDeduplicationService.init({
		checkProcessedAndRecord: async (...args) =>
			await deduplicator!.checkProcessedAndRecord(...args),
		removeProcessed: async (items) => await deduplicator!.removeProcessed(items),
		getProcessedDataCount: async () => await deduplicator!.getProcessedDataCount(),
	});
};

/** n8n's deduplication store, which the engine alone lacks: a single row, kept in memory, that forgets the oldest. */
export const installDeduplicationStore = () => {
	const entries = new Set<unknown>();
	const everTaken = new Set<unknown>();
	let failures = 0;
	let removals = 0;
	const store: Deduplicator = {
		checkProcessedAndRecord: async (items, _scope, _contextData, { maxEntries = Infinity }) => {
			items.forEach((item) => everTaken.add(item));
			const isNew = (item: unknown) => !entries.has(item);
			const result = {
				new: items.filter(isNew),
				processed: items.filter((item) => !isNew(item)),
			};
			items.forEach((item) => entries.add(item));
			for (const oldest of entries) {
				if (entries.size <= maxEntries) break;
				entries.delete(oldest);
			}
			return result;
		},
		removeProcessed: async (items) => {
			removals++;
			if (failures-- > 0) throw new Error('The database is locked');
			failures = 0;
			items.forEach((item) => entries.delete(item));
		},
		getProcessedDataCount: async () => entries.size,
	};
	return {
		entries,
		/** Includes entries that were released. */
		everTaken,
		/** The number of removals. Each can remove several entries. */
		removals: () => removals,
		install: async () => await useDeduplicator(store),
		breakRelease: () => void (failures = Infinity),
		/** Makes only the next `count` releases fail. */
		failReleases: (count: number) => void (failures = count),
		repair: () => void (failures = 0),
	};
};
