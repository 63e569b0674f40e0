import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readExample as readFile, withCredentials } from '../../playground/n8n/setUp.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { makeTables, tableMadeBy, withHandMadeTables } from '../../playground/n8n/tables.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import type { Playground } from '../e2e/harness.ts';
import { examplePaths } from '../helpers/exampleFiles.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';

/** With tables and addresses that no other copy has, so that many can be there at the same time. */
const apart = (example: Workflow, mark: string): Workflow => {
	const tables = example.nodes.flatMap((node) => tableMadeBy(node)?.name ?? []);
	const addresses = example.nodes.flatMap(({ webhookId }) => webhookId ?? []);
	const names = [
		...[...new Set(tables)].map((name) => [name, `${name} ${mark}`] as const),
		...addresses.map((address) => [address, randomUUID()] as const),
	];
	const text = names.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(example));
	return JSON.parse(text) as Workflow;
};

/**
 * A file of `examples/` with the credentials chosen, as the file asks its user to do, and with what else they
 * change. With a mark, which follows the name of each table, it meets no other copy.
 */
export const readExample = async (
	playground: Playground,
	file: string,
	change: (node: WorkflowNode) => WorkflowNode = (node) => node,
	mark?: string,
): Promise<Workflow> => {
	const { rest, credentials } = playground;
	const { basic, key } = credentials;
	const choose = withCredentials({ kudosityBasicApi: basic, kudosityKeyApi: key });
	const read = await readFile(join(projectFolder, examplePaths[file]!));
	const example = mark === undefined ? read : apart(read, mark);
	const nodes = isCurrent
		? example.nodes
		: withHandMadeTables(example.nodes, await makeTables(example.nodes, { rest }));
	return { ...example, nodes: nodes.map(choose).map(change) };
};
