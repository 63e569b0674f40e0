import { createControl, type Control } from '../../playground/emulator/control/client.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import type { Settings } from '../../playground/emulator/settings.ts';
import { emulatorCredentials, type CredentialReference } from '../../playground/n8n/setUp.ts';
import type { Rest } from '../../playground/n8n/rest/index.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startN8n, type TestN8n } from '../e2e/startN8n.ts';
import { kudosityType, node } from '../e2e/workflow.ts';
import { runKudosity, type CredentialData, type RunOptions } from '../engine/harness.ts';
import { startEmulatorProcess } from './emulatorProcess.ts';

export type Service = { url: string; control: Control };

/** Runs a task of this process against an emulator in a separate process. */
export const withEmulator = async <Result>(
	task: (service: Service) => Promise<Result>,
): Promise<Result> => {
	const { url, stop } = await startEmulatorProcess();
	try {
		return await task({ url, control: createControl(url) });
	} finally {
		stop();
	}
};

/** Runs the node in n8n's own engine, in this process. */
export const runInEngine = async (
	{ url }: Service,
	parameters: RunOptions['parameters'],
	options: Pick<RunOptions, 'items'> = {},
) => {
	const credentials = emulatorCredentials(url).map(({ type, data }) => [type, data]);
	return await runKudosity({
		parameters,
		credentials: Object.fromEntries(credentials) as CredentialData,
		...options,
	});
};

type Credentials = Record<'kudosityBasicApi' | 'kudosityKeyApi', CredentialReference>;

export type Host = Service & { n8n: TestN8n; rest: Rest; credentials: Credentials };

type HostOptions = { environment?: NodeJS.ProcessEnv; settings?: Partial<Settings> };

/** Creates both credentials of the emulator's account. n8n queries its database for each one that a node has. */
export const createCredentials = async (rest: Rest, emulatorUrl: string): Promise<Credentials> => {
	const references: Record<string, CredentialReference> = {};
	for (const credential of emulatorCredentials(emulatorUrl)) {
		const { id } = await rest.createCredential(credential);
		references[credential.type] = { id, name: credential.name };
	}
	return references as Credentials;
};

/** Runs a task with a real n8n and an emulator. */
export const withN8n = async <Result>(
	task: (host: Host) => Promise<Result>,
	{ environment, settings }: HostOptions = {},
): Promise<Result> => {
	const emulator = await startEmulator({ settings });
	try {
		const n8n = await startN8n({ environment });
		try {
			const { url } = emulator;
			const credentials = await createCredentials(n8n.rest, url);
			return await task({ url, control: createControl(url), n8n, rest: n8n.rest, credentials });
		} finally {
			await n8n.stop();
		}
	} finally {
		await emulator.close();
	}
};

/** The action node. */
export const kudosity = (
	parameters: WorkflowNode['parameters'],
	more: Partial<WorkflowNode> = {},
): WorkflowNode => node({ name: 'Kudosity', type: kudosityType, parameters, ...more });

/** n8n's HTTP Request node, the alternative for services without a node. */
export const httpRequest = (
	parameters: WorkflowNode['parameters'],
	more: Partial<WorkflowNode> = {},
): WorkflowNode =>
	node({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters,
		...more,
	});

/** HTTP Request parameters that send an SMS. */
export const smsRequest = (url: string, sms: { message: string; sender: string }) => ({
	method: 'POST',
	url: `${url}/v2/sms`,
	sendBody: true,
	specifyBody: 'json',
	jsonBody: `={{ { "message": "${sms.message}", "sender": "${sms.sender}", "recipient": $json.phone } }}`,
});

/** Creates a workflow, runs it once as the editor does, and deletes it. */
export const timeWorkflow = async (
	rest: Rest,
	draft: Workflow,
	{ timeoutMs }: { timeoutMs: number },
) => {
	const { id } = await rest.createWorkflow(draft);
	const begunMs = performance.now();
	const executionId = await rest.runWorkflow(id);
	const { nodes } = await rest.waitForExecution(executionId, { timeoutMs });
	const seconds = (performance.now() - begunMs) / 1000;
	await rest.deleteWorkflow(id);
	return { seconds, nodes };
};

/** Items with a different phone number each. */
export const phones = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ phone: String(61_491_000_000 + index) }));
