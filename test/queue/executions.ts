import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { until } from '../../playground/n8n/until.ts';
import type { QueueMode } from './queueMode.ts';

const timeoutMs = 300_000;
const readAtOnce = 10;

type Source = Pick<QueueMode, 'postgres' | 'rest'>;

export type ExecutionRow = { id: string; status: string };

/** All executions of a workflow, oldest first. n8n's own list stops at a hundred. */
export const executionRows = async (
	{ postgres }: Source,
	workflowId: string,
): Promise<ExecutionRow[]> => {
	const rows = await postgres.query(
		`SELECT id, status FROM execution_entity WHERE "workflowId" = '${workflowId}' ORDER BY id`,
	);
	return rows.map(([id = '', status = '']) => ({ id, status }));
};

const hasEnded = ({ status }: Pick<ExecutionRow, 'status'>) =>
	!['new', 'running', 'waiting'].includes(status);

/** Waits until the workflow has had so many executions and all of them have ended. */
export const executionsEnded = async (
	source: Source,
	workflowId: string,
	count: number,
): Promise<ExecutionRow[]> =>
	await until({ what: `${count} executions to end`, timeoutMs, intervalMs: 250 }, async () => {
		const rows = await executionRows(source, workflowId);
		return rows.length >= count && rows.every(hasEnded) ? rows : undefined;
	});

export const readExecutions = async (
	{ rest }: Source,
	rows: ExecutionRow[],
): Promise<Execution[]> => {
	const executions: Execution[] = [];
	for (let first = 0; first < rows.length; first += readAtOnce) {
		const some = rows.slice(first, first + readAtOnce);
		executions.push(...(await Promise.all(some.map(({ id }) => rest.readExecution(id)))));
	}
	return executions;
};

/** The execution that was given each list: the numbers it shall send to are in its data from the beginning. */
export const executionOfEach = async (
	{ postgres }: Source,
	workflowId: string,
	lists: string[][],
): Promise<string[]> => {
	const rows = await postgres.query(
		`SELECT e.id, d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		 WHERE e."workflowId" = '${workflowId}'`,
	);
	return lists.map(([first = '']) => rows.find(([, data = '']) => data.includes(first))?.[0] ?? '');
};

/** The stored data of each successful execution of a workflow, as text to search in. */
export const storedData = async ({ postgres }: Source, workflowId: string): Promise<string[]> => {
	const rows = await postgres.query(
		`SELECT d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		 WHERE e."workflowId" = '${workflowId}' AND e.status = 'success'`,
	);
	return rows.map(([data = '']) => data);
};
