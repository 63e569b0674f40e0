import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod/v4';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../emulator/model.ts';
import { packageName } from './pack.ts';
import type { Rest } from './rest/index.ts';
import { type Workflow, type WorkflowNode, workflowSchema } from './rest/workflows.ts';
import { makeTables, withHandMadeTables } from './tables.ts';
import { currentN8n, type N8nVersion } from './versions.ts';

export type CredentialReference = { id: string; name: string };
/** References by credential type, as stored in a node. */
export type CredentialReferences = Record<string, CredentialReference>;

/** One credential of each type for the emulator's initial account. */
export const emulatorCredentials = (baseUrl: string) => [
	{
		name: 'Playground: API key and secret',
		type: 'kudosityBasicApi',
		data: { apiKey: PLAYGROUND_API_KEY, apiSecret: PLAYGROUND_API_SECRET, baseUrl },
	},
	{
		name: 'Playground: API key',
		type: 'kudosityKeyApi',
		data: { apiKey: PLAYGROUND_API_KEY, baseUrl },
	},
];

/** Leave a credential alone if the user has pointed it at the real service. */
const isLoopback = (baseUrl: unknown): boolean =>
	/^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(String(baseUrl));

/** Creates missing credentials, and updates the URL if the emulator's port has changed. */
export const ensureCredentials = async (
	rest: Rest,
	baseUrl: string,
): Promise<CredentialReferences> => {
	const existing = await rest.listCredentials();
	const references: CredentialReferences = {};
	for (const credential of emulatorCredentials(baseUrl)) {
		const { name, type } = credential;
		const found = existing.find((other) => other.name === name && other.type === type);
		const { id } = found ?? (await rest.createCredential(credential));
		if (found !== undefined) {
			const stored = (await rest.readCredential(id)).data.baseUrl;
			const hasMoved = isLoopback(stored) && stored !== baseUrl;
			if (hasMoved) await rest.updateCredential(id, credential);
		}
		references[type] = { id, name };
	}
	return references;
};

type ImportExamples = {
	rest: Rest;
	/** Contains the examples, one workflow per JSON file, also in folders. */
	folder: string;
	/** Records which files were imported, so that examples the user renames or deletes are not imported again. */
	recordFile: string;
	credentials: CredentialReferences;
	version: N8nVersion;
};

/** Workflow IDs by file name. */
const recordSchema = z.record(z.string(), z.string());

const readRecord = async (file: string): Promise<Record<string, string>> => {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	return recordSchema.parse(JSON.parse(text));
};

const neededCredentialTypes = ({ type }: WorkflowNode): string[] => {
	if (/\.kudosity(Polling)?Trigger$/.test(type)) return ['kudosityKeyApi'];
	return type.startsWith(`${packageName}.`) ? ['kudosityBasicApi', 'kudosityKeyApi'] : [];
};

/** Examples have no credentials, as IDs differ per n8n. The action node gets both, and n8n uses the matching one. */
export const withCredentials =
	(references: CredentialReferences) =>
	(node: WorkflowNode): WorkflowNode => {
		const chosen = neededCredentialTypes(node).flatMap((type) => {
			const reference = references[type];
			return reference ? [[type, reference] as const] : [];
		});
		return chosen.length > 0 ? { ...node, credentials: Object.fromEntries(chosen) } : node;
	};

/** What a person would enter before the first run. */
const withCampaignName = (node: WorkflowNode): WorkflowNode => {
	const { options } = node.parameters as { options?: { campaignName?: string } };
	if (options?.campaignName !== '') return node;
	const named = { ...options, campaignName: 'my first campaign' };
	return { ...node, parameters: { ...node.parameters, options: named } };
};

/** Numbers that belong to nobody. */
const contacts = [
	{ phone: '61491570006', first_name: 'Ana' },
	{ phone: '+61 491 570 156', first_name: 'Ben' },
	{ phone: '61491570157', first_name: 'Cleo' },
];

/** What the tables of the playground have in them at first. */
const sampleRows = {
	'Kudosity opt-outs': [{ phone: '61491570157', source: 'link' }],
	'Kudosity contacts': contacts,
	'Kudosity staff': contacts,
};

export const readExample = async (file: string): Promise<Workflow> =>
	workflowSchema.parse(JSON.parse(await readFile(file, 'utf8')));

/** Imports the examples that this n8n has never had. Resolves to all that were ever imported. */
export const importExamples = async (options: ImportExamples): Promise<Record<string, string>> => {
	const { rest, folder, recordFile, credentials, version } = options;
	const record = await readRecord(recordFile);
	const paths = (await readdir(folder, { recursive: true })).filter((path) =>
		path.endsWith('.json'),
	);
	const tables = { rest, rows: sampleRows };
	for (const path of paths.sort()) {
		const file = basename(path);
		if (record[file] !== undefined) continue;
		const example = await readExample(join(folder, path));
		const chosen = example.nodes.map(withCredentials(credentials)).map(withCampaignName);
		const ids = await makeTables(chosen, tables);
		const nodes = version === currentN8n ? chosen : withHandMadeTables(chosen, ids);
		record[file] = (await rest.createWorkflow({ ...example, nodes })).id;
		await writeFile(recordFile, JSON.stringify(record, undefined, '\t'));
	}
	return record;
};

const triggerType = `${packageName}.kudosityTrigger`;

/**
 * Republishes workflows with our trigger, because the emulator loses its webhooks when it stops and n8n does not
 * register them again at startup. Resolves to the names of workflows that could not be published.
 */
export const republishTriggers = async (rest: Rest): Promise<string[]> => {
	const failed: string[] = [];
	for (const { id, name, active } of await rest.listWorkflows()) {
		if (!active) continue;
		const { nodes } = await rest.readWorkflow(id);
		if (!nodes.some(({ type }) => type === triggerType)) continue;
		await rest.deactivate(id);
		await rest.activate(id).catch(() => failed.push(name));
	}
	return failed;
};
