import { inject } from 'vitest';
import {
	createControl,
	type Control,
	type Settings,
} from '../../playground/emulator/control/client.ts';
import { startEmulator, type Emulator } from '../../playground/emulator/server.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import {
	emulatorCredentials,
	type CredentialReference,
	type CredentialReferences,
} from '../../playground/n8n/setUp.ts';
import { createRest, type Rest } from '../../playground/n8n/rest/index.ts';
import type { SavedWorkflow, Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startN8n, type TestN8n, type TestN8nOptions } from './startN8n.ts';
import { kudosityTriggerType, kudosityType, manualTrigger, node, workflow } from './workflow.ts';

type PlaygroundOptions = {
	/** An n8n for this file alone: to restart it, to kill it, or to set it up differently. */
	ownN8n?: TestN8nOptions;
	/** That of another playground, to join it; the shared one when both are absent. */
	n8n?: SharedN8n;
	/** That of another playground: two n8n on one account. */
	emulator?: Emulator;
	/** How this file's emulator differs from the default. */
	settings?: Partial<Settings>;
};

type NodeSettings = Partial<Omit<WorkflowNode, 'type' | 'parameters'>>;

type SharedN8n = Pick<TestN8n, 'url' | 'rest'> & Partial<TestN8n>;

const joinSharedN8n = (): SharedN8n => {
	const url = inject('n8nUrl');
	return { url, rest: createRest(url, new Map(inject('n8nCookies'))) };
};

/** Named after the emulator, so that files which share an n8n do not mix theirs up. */
const createCredentials = async (rest: Rest, emulator: Emulator) => {
	const references: CredentialReferences = {};
	for (const credential of emulatorCredentials(emulator.url)) {
		const name = `${credential.name} ${emulator.port}`;
		const { id } = await rest.createCredential({ ...credential, name });
		references[credential.type] = { id, name };
	}
	return references;
};

const referenceOf = (references: CredentialReferences, type: string): CredentialReference => {
	const reference = references[type];
	if (reference === undefined) throw new Error(`No credential of type ${type}`);
	return reference;
};

export type Playground = {
	emulator: Emulator;
	control: Control;
	rest: Rest;
	/** The shared n8n's address, or this file's own n8n. */
	n8n: SharedN8n;
	credentials: { basic: CredentialReference; key: CredentialReference };
	/** The action node, with both credentials. */
	kudosity(parameters: Record<string, unknown>, settings?: NodeSettings): WorkflowNode;
	/** The trigger node, with its credential. */
	kudosityTrigger(parameters: Record<string, unknown>, settings?: NodeSettings): WorkflowNode;
	save(workflow: Workflow): Promise<SavedWorkflow>;
	/** Deactivates what was saved here. */
	deactivateAll(): Promise<void>;
	/** Runs the nodes one after the other, once, on these items. */
	run(items: object[], ...nodes: WorkflowNode[]): Promise<Execution>;
	stop(): Promise<void>;
};

/** An emulator of the file's own in this process, and credentials for it in a real n8n. */
export const startPlayground = async (options: PlaygroundOptions = {}): Promise<Playground> => {
	const { ownN8n, settings } = options;
	const emulator = options.emulator ?? (await startEmulator({ settings }));
	const n8n: SharedN8n = ownN8n ? await startN8n(ownN8n) : (options.n8n ?? joinSharedN8n());
	const { rest } = n8n;
	const credentials = await createCredentials(rest, emulator);
	const saved = new Set<string>();

	const save = async (draft: Workflow) => {
		const result = await rest.createWorkflow(draft);
		saved.add(result.id);
		return result;
	};

	const deactivateAll = async () => {
		for (const { id, active } of await rest.listWorkflows()) {
			if (active && saved.has(id)) await rest.deactivate(id);
		}
	};

	/** Workflows stay until n8n ends; one that were active would keep its webhook's address from others. */
	const leave = async () => {
		await deactivateAll();
		for (const { id } of Object.values(credentials)) await rest.deleteCredential(id);
	};

	return {
		emulator,
		control: createControl(emulator.url),
		rest,
		n8n,
		credentials: {
			basic: referenceOf(credentials, 'kudosityBasicApi'),
			key: referenceOf(credentials, 'kudosityKeyApi'),
		},
		kudosity: (parameters, nodeSettings) =>
			node({ type: kudosityType, name: 'Kudosity', parameters, credentials, ...nodeSettings }),
		kudosityTrigger: (parameters, nodeSettings) =>
			node({
				type: kudosityTriggerType,
				name: 'Kudosity Trigger',
				parameters,
				credentials: { kudosityKeyApi: referenceOf(credentials, 'kudosityKeyApi') },
				...nodeSettings,
			}),
		save,
		deactivateAll,
		run: async (items, ...nodes) => {
			const { id } = await save(workflow({ nodes: [manualTrigger(), ...nodes], items }));
			return await rest.run(id);
		},
		stop: async () => {
			if (ownN8n) await n8n.stop?.();
			else await leave();
			if (!options.emulator) await emulator.close();
		},
	};
};
