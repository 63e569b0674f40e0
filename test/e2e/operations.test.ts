import type { INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { createControl } from '../../playground/emulator/control/client.ts';
import { startEmulator, type Emulator } from '../../playground/emulator/server.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { emulatorCredentials, type CredentialReferences } from '../../playground/n8n/setUp.ts';
import { credentialsFor, runOperation } from '../engine/emulator.ts';
import { askingOperations, exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import { exampleRuns } from '../helpers/exampleRuns.ts';
import { schemaIssues } from '../helpers/jsonSchema.ts';
import { projectFiles } from '../helpers/projectFiles.ts';
import type { Operation } from '../seams.ts';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, workflow } from './workflow.ts';

type Fields = Record<string, unknown>;

const settings = { requestsPerSecond: 0, autoStatus: false };
const names = Object.keys(operationsByName);

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
afterAll(async () => await playground.stop());

type Credentials = { baseUrl?: string; apiKey?: string };

const createCredentials = async ({ baseUrl = playground.emulator.url, ...data }: Credentials) => {
	const references: CredentialReferences = {};
	for (const credential of emulatorCredentials(baseUrl)) {
		const changed = { ...credential, data: { ...credential.data, ...data } };
		const { id, name } = await playground.rest.createCredential(changed);
		references[credential.type] = { id, name };
	}
	return references;
};

type Branch = { name: string; fields: Fields; credentials: CredentialReferences };

/** One workflow with a branch for each operation, which is called after it: a failure of one does not stop the others. */
const runBranches = async (branches: Branch[], item: object = {}): Promise<Execution> => {
	const nodes = branches.map(({ name, fields, credentials }) => {
		const [resource, operation] = name.split('/');
		const parameters = { resource, operation, ...fields };
		return playground.kudosity(parameters, { name, credentials, onError: 'continueErrorOutput' });
	});
	const main = [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))];
	const draft = workflow({
		nodes: [manualTrigger(), ...nodes],
		items: [item],
		connections: { Start: { main } },
	});
	return await playground.rest.run((await playground.save(draft)).id);
};

const isQuestion = (name: string) => name.endsWith('/sendAndWait');

describe('in a real n8n', () => {
	const emulators: Emulator[] = [];
	const schemas = projectFiles('nodes/Kudosity/__schema__/v1.0.0', '.json');
	let execution: Execution;

	/** A service of its own, with the records that the operation works with. */
	const prepare = async (name: string) => {
		const emulator = await startEmulator({ settings });
		emulators.push(emulator);
		const credentials = credentialsFor(emulator.url);
		const run = async (other: string, fields: Fields) =>
			(await runOperation(other, fields, { credentials })).json;
		const [fields = {}] = await exampleRuns(name, run, createControl(emulator.url));
		return { name, fields, baseUrl: emulator.url };
	};

	beforeAll(async () => {
		const baseUrl = "={{ $json[$parameter.resource + '/' + $parameter.operation] }}";
		const credentials = await createCredentials({ baseUrl });
		const prepared = [];
		for (const name of names.filter((each) => !isQuestion(each))) {
			prepared.push(await prepare(name));
		}
		execution = await runBranches(
			prepared.map(({ name, fields }) => ({ name, fields, credentials })),
			Object.fromEntries(prepared.map(({ name, baseUrl: url }) => [name, url])),
		);
	});
	afterAll(
		async () => void (await Promise.all(emulators.map(async (emulator) => await emulator.close()))),
	);

	it.each(names.filter((name) => !isQuestion(name)))('%s gives what the editor shows', (name) => {
		const [items = [], refused] = execution.nodes[name]?.outputs ?? [];
		expect(refused?.map(({ json }) => json.error)).toEqual([]);
		expect(items).not.toEqual([]);
		const schema = JSON.parse(schemas[`nodes/Kudosity/__schema__/v1.0.0/${name}.json`]!);
		/** An operation that asks nobody keeps what its item has. */
		const added = ({ json }: (typeof items)[number]) =>
			Object.fromEntries(Object.entries(json).filter(([field]) => !(field in operationsByName)));
		expect(items.flatMap((item) => schemaIssues(schema, added(item)))).toEqual([]);
	});

	it('webhook/checkSetup knows the address of this n8n', () => {
		const items = execution.nodes['webhook/checkSetup']?.items.map(({ json }) => json);
		const address = { check: 'address', ok: true };
		expect(items?.at(-1)).toMatchObject(address);
		expect(items?.at(-1)?.message).toMatch(/ this n8n instance's address, https?:\/\/[^/]+\/$/);
	});

	it.each([
		{ channel: 'SMS', sender: '61491570006' },
		{ channel: 'RCS', sender: RCS_AGENT },
		{ channel: 'WHATSAPP', sender: '61491570006' },
	] as const)('a question by $channel waits for its reply', async ({ channel, sender }) => {
		const [resource, recipient] = [channel.toLowerCase(), '61491573087'];
		const asked = { message: 'Ready?', sender, recipient, responseType: 'freeText' };
		const question = playground.kudosity({ resource, operation: 'sendAndWait', ...asked });
		const draft = workflow({ nodes: [manualTrigger(), question], items: [{}] });
		const { id } = await playground.save(draft);
		const executionId = await playground.rest.runWorkflow(id);
		await playground.rest.waitForExecution(executionId, { statuses: ['waiting'] });
		await playground.control.inbound({ channel, from: recipient, to: sender, text: 'Yes' });
		const { nodes } = await playground.rest.waitForExecution(executionId);
		expect(nodes.Kudosity?.items[0]?.json).toMatchObject({ replied: true, text: 'Yes' });
	});
});

describe('refused in a real n8n', () => {
	let execution: Execution;

	const isEntered = ({ type }: INodeProperties) => type === 'string' || type === 'resourceLocator';
	/** Whether a field is shown with the defaults of the others. */
	const isShown = ({ displayOptions }: INodeProperties, among: INodeProperties[]) =>
		Object.entries(displayOptions?.show ?? {}).every(([name, wanted]) =>
			wanted?.some((each) => each === among.find((other) => other.name === name)?.default),
		);
	const requiredOf = ({ properties }: Operation) =>
		properties.find((field) => field.required && isEntered(field) && isShown(field, properties));

	beforeAll(async () => {
		const credentials = await createCredentials({ apiKey: 'another-key' });
		execution = await runBranches(
			Object.entries(askingOperations).map(([name, operation]) => {
				const required = requiredOf(operation);
				const empty = required && { [required.name]: "={{ '' }}" };
				return { name, fields: { ...exampleFields(operation), ...empty }, credentials };
			}),
		);
	});

	it.each(Object.entries(askingOperations))('%s says why, in clear words', (name, operation) => {
		const required = requiredOf(operation);
		const reason = required
			? `'${required.displayName}' is empty`
			: 'Kudosity did not accept the credential';
		const [items, refused = []] = execution.nodes[name]?.outputs ?? [];
		if (name.endsWith('/checkSetup')) {
			expect(items?.[0]?.json).toMatchObject({ ok: false, message: reason });
			return;
		}
		expect(items).toEqual([]);
		expect(refused.map(({ json }) => json.error)).toEqual([expect.stringContaining(reason)]);
	});
});
