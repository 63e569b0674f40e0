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
	/** n8n 2.41 with durable cursors: each poll has a context and a copy of the state of its own. */
	isDurable?: boolean;
};

const clone = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

let workflows = 0;

/** A published workflow with the polling trigger, as n8n runs it: when it polls, what it stores, and what it drops. */
export const createPoller = (options: PollerOptions) => {
	const { credentials, isDurable = false, workflowId = `polled-${++workflows}` } = options;
	let { settings } = options;
	let parameters: IDataObject = options.parameters ?? {};
	let database: IDataObject = {};
	let active: Awaited<ReturnType<typeof load>> | undefined;
	const executions: INodeExecutionData[][] = [];
	const errors: Array<Error & { description?: string | null }> = [];

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
		const cursor = clone(database);
		if (isDurable) Object.assign(context, { getWorkflowStaticData: () => cursor });
		const poll = async () => (await nodeType.poll!.call(context as never))?.[0] ?? null;
		const update = async () => {
			forgetBuiltNodes('first');
			({ nodeType } = await createContexts('kudosityPollingTrigger', { parameters, credentials }));
		};
		const emit = (items: INodeExecutionData[]) => context.__emit([items]);
		return { workflow, cursor, poll, update, emit };
	};

	const save = ({ staticData }: Workflow): void => {
		if (staticData.__dataChanged !== true) return;
		database = clone(staticData);
		staticData.__dataChanged = false;
	};

	/** n8n 2 drops what a poll returns that began before the trigger was replaced. */
	const take = (from: typeof active, items: INodeExecutionData[] | null): void => {
		if (from !== active || items === null) return;
		from!.emit(items);
		save(from!.workflow);
		executions.push(items);
	};

	const restart = async () => {
		forgetBuiltNodes('first');
		active = undefined;
		const loaded = await load('init');
		active = loaded;
		take(loaded, await loaded.poll());
		if (!isDurable) save(loaded.workflow);
	};

	return {
		executions,
		errors,
		/** What left the trigger, in order. */
		output: () => executions.flat().map(({ json }) => json),
		database: () => database,
		/** Another node's late save, or an old tab's. */
		setDatabase: (stored: IDataObject) => void (database = clone(stored)),
		change: (changes: { parameters?: IDataObject; settings?: NodeSettings }) => {
			parameters = { ...parameters, ...changes.parameters };
			settings = { ...settings, ...changes.settings };
		},
		/** Publishes, or publishes again; rejects as n8n does. */
		activate: async (mode: Mode = 'activate') => {
			active = undefined;
			const loaded = await load(mode);
			active = loaded;
			const items = await loaded.poll();
			take(loaded, items);
			if (!isDurable) save(loaded.workflow);
		},
		/** @returns what was published */
		deactivate: () => {
			const { workflow } = active!;
			active = undefined;
			return workflow;
		},
		/** A scheduled poll. */
		tick: async () => {
			const polled = isDurable ? await load('update') : active!;
			if (isDurable) active = polled;
			try {
				const items = await polled.poll();
				if (active === undefined) return;
				if (isDurable) database = clone(polled.cursor);
				if (isDurable && items) executions.push(items);
				if (!isDurable) take(polled, items);
			} catch (error) {
				errors.push(error as Error);
			}
		},
		/** n8n ends, and starts again. */
		restart,
		/** The package is updated in n8n, which goes on with what runs. */
		update: async () => await active!.update(),
		/** n8n is killed just after a poll, with or without what it has stored; then it starts again. */
		kill: async (hasStored: boolean): Promise<INodeExecutionData[]> => {
			const { workflow, poll, emit } = active!;
			const items = await poll().catch(() => null);
			if (items) emit(items);
			if (hasStored && items) save(workflow);
			await restart();
			return (hasStored && items) || [];
		},
		/** Execute step, in the editor. */
		test: async () => await (await load('activate', 'manual')).poll(),
	};
};

export type Poller = ReturnType<typeof createPoller>;
