import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { packageName } from './pack.ts';
import type { CredentialReferences } from './playgroundCredentials.ts';
import type { Rest } from './rest.ts';
import { workflowSchema, type Workflow, type WorkflowNode } from './workflowCalls.ts';

type ImportExamples = {
	rest: Rest;
	/** Holds the examples, one workflow per JSON file. */
	folder: string;
	/** Remembers which files were imported: what the user renames or deletes stays so. */
	recordFile: string;
	credentials: CredentialReferences;
};

/** By file name: the workflow it became. */
const recordSchema = z.record(z.string(), z.string());

const readRecord = async (file: string): Promise<Record<string, string>> => {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	return recordSchema.parse(JSON.parse(text));
};

const credentialTypesOf = ({ type }: WorkflowNode): string[] => {
	if (type === `${packageName}.kudosityTrigger`) return ['kudosityKeyApi'];
	return type.startsWith(`${packageName}.`) ? ['kudosityBasicApi', 'kudosityKeyApi'] : [];
};

/** Examples name no credentials, since those differ from n8n to n8n. The action node gets both: n8n uses what fits. */
export const withCredentials =
	(references: CredentialReferences) =>
	(node: WorkflowNode): WorkflowNode => {
		const chosen = credentialTypesOf(node).flatMap((type) => {
			const reference = references[type];
			return reference ? [[type, reference] as const] : [];
		});
		return chosen.length > 0 ? { ...node, credentials: Object.fromEntries(chosen) } : node;
	};

export const readExample = async (file: string): Promise<Workflow> =>
	workflowSchema.parse(JSON.parse(await readFile(file, 'utf8')));

/** Imports the examples that this n8n has never had; resolves to all that were ever imported. */
export const importExamples = async (options: ImportExamples): Promise<Record<string, string>> => {
	const { rest, folder, recordFile, credentials } = options;
	const record = await readRecord(recordFile);
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
	for (const file of files.filter((name) => record[name] === undefined)) {
		const example = await readExample(join(folder, file));
		const nodes = example.nodes.map(withCredentials(credentials));
		record[file] = (await rest.createWorkflow({ ...example, nodes })).id;
		await writeFile(recordFile, JSON.stringify(record, undefined, '\t'));
	}
	return record;
};
