import type { IDataObject, INodeExecutionData, Workflow } from 'n8n-workflow';
import { forgetBuiltNodes, require } from './engineModules.ts';
import { createContexts, type CredentialData, type NodeSettings } from './harness.ts';

const { ObservableObject }: typeof import('n8n-workflow') = require('n8n-workflow');

type Mode = 'init' | 'leadershipChange' | 'activate' | 'update';

export type PollerOptions = {
	credentials: CredentialData;
	parameters?: IDataObject;
	settings?: NodeSettings;
	workflowId?: string;
	/** n8n 1: takes the output of a poll that ends after its activation has been replaced, and stores its static data. */
	isN8n1?: boolean;
};

const clone = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

let workflows = 0;

/** A published workflow with the polling trigger, as n8n runs it: when it polls, what it stores, and what it drops. */
export const createPoller = (options: PollerOptions) => {
	const { credentials, isN8n1 = false, workflowId = `polled-${++workflows}` } = options;
	let { settings } = options;
	let parameters: IDataObject = options.parameters ?? {};
	let database: IDataObject = {};
	let active: Loaded | undefined;
	const executions: INodeExecutionData[][] = [];
	let lastOutput: INodeExecutionData[] = [];
	const errors: Array<Error & { description?: string | null }> = [];

	type Loaded = Awaited<ReturnType<typeof load>>;

	const load = async (mode: Mode, runMode: 'trigger' | 'manual' = 'trigger') => {
		const contexts = await createContexts('kudosityPollingTrigger', {
			parameters: {
				events: ['SMS_INBOUND'],
				simplify: true,
				filters: {},
				options: {},
				...parameters,
			},
			credentials,
			settings,
			workflowId,
		});
		const { workflow } = contexts;
		let { nodeType } = contexts;
		workflow.staticData = ObservableObject.create(clone(database), undefined, {
			ignoreEmptyOnFirstChild: true,
		});
		const context = contexts.poll(runMode, mode);
		const poll = async () => (await nodeType.poll!.call(context as never))?.[0] ?? null;
		const update = async () => {
			forgetBuiltNodes('first');
			({ nodeType } = await createContexts('kudosityPollingTrigger', { parameters, credentials }));
		};
		return { workflow, poll, update };
	};

	const save = ({ staticData }: Workflow): void => {
		if (staticData.__dataChanged !== true) return;
		database = clone(staticData);
		staticData.__dataChanged = false;
	};

	/** n8n 2 drops the output of a poll whose activation has been replaced. */
	const take = (from: Loaded, items: INodeExecutionData[] | null): void => {
		lastOutput = [];
		if (items === null || (from !== active && !isN8n1)) return;
		save(from.workflow);
		lastOutput = items;
		executions.push(items);
	};

	/** @param hasLatePoll whether a poll of the earlier activation ends after n8n has read its database */
	const activate = async (mode: Mode, hasLatePoll = false) => {
		const earlier = active;
		active = undefined;
		const loaded = await load(mode);
		if (hasLatePoll) take(earlier!, await earlier!.poll());
		active = loaded;
		take(loaded, await loaded.poll());
		save(loaded.workflow);
	};

	const restart = async () => {
		forgetBuiltNodes('first');
		await activate('init');
	};

	return {
		executions,
		errors,
		/** What left the trigger, in order. */
		output: () => executions.flat().map(({ json }) => json),
		/** What n8n took from the last poll. */
		lastOutput: () => lastOutput,
		database: () => database,
		/** Another node's late save, or an old tab's. */
		setDatabase: (stored: IDataObject) => void (database = clone(stored)),
		change: (changes: { parameters?: IDataObject; settings?: NodeSettings }) => {
			parameters = { ...parameters, ...changes.parameters };
			settings = { ...settings, ...changes.settings };
		},
		/** Publishes, or publishes again; rejects as n8n does. */
		activate: async (mode: Mode = 'activate') => await activate(mode),
		/** Publishes again while a poll is about to end. */
		activateBeforeOutput: async () => await activate('update', true),
		deactivate: () => void (active = undefined),
		/** A scheduled poll. */
		tick: async () => {
			const polled = active!;
			try {
				take(polled, await polled.poll());
			} catch (error) {
				lastOutput = [];
				errors.push(error as Error);
			}
		},
		/** n8n ends, and starts again. */
		restart,
		/** The package is updated in n8n, which goes on with what runs. */
		update: async () => await active!.update(),
		/** n8n is killed just after a poll, with or without what it has stored; then it starts again. */
		kill: async (hasStored: boolean): Promise<INodeExecutionData[]> => {
			const { workflow, poll } = active!;
			const items = await poll().catch(() => null);
			if (hasStored && items) save(workflow);
			await restart();
			return (hasStored && items) || [];
		},
		/** Execute step, in the editor. */
		test: async () => await (await load('activate', 'manual')).poll(),
	};
};

export type Poller = ReturnType<typeof createPoller>;
