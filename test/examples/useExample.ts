import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod/v4';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import type { DataTableRow } from '../../playground/n8n/rest/dataTables.ts';
import { makeTables } from '../../playground/n8n/tables.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import type { SavedWorkflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { readExample } from './readExample.ts';

const sentSchema = z.object({
	id: z.string().optional(),
	data: z.object({ id: z.string() }).optional(),
});

type Rows = Record<string, DataTableRow[]>;

type ExampleUse = {
	/** In `examples/`. */
	file: string;
	/** What a user would change in the editor before the first run, also in those beside it. */
	change?: (node: WorkflowNode) => WorkflowNode;
	/** What nodes output in manual executions, by their names, without being run. */
	pin?: Record<string, object[]>;
	/** Other files of `examples/` that are published beside it. */
	beside?: string[];
	/** False for a workflow that only starts by hand. */
	publish?: boolean;
	/** Of an n8n for this file alone. */
	environment?: NodeJS.ProcessEnv;
};

/**
 * Imports a file of `examples/` before each test, chooses the credentials as the file asks its user to do,
 * and publishes it. Each copy has tables and addresses of its own, and stays as it is: it ends with n8n. Tests
 * call a table as the file does. Read the members inside tests only.
 */
export const useExample = (use: ExampleUse) => {
	let playground: Playground;
	let mark = '';
	const copies = new Map<string, SavedWorkflow>();

	const load = async (file: string, { change, pin = {} }: Partial<ExampleUse> = {}) => {
		const { rest } = playground;
		const example = await readExample(playground, file, change, mark);
		const pinned = Object.entries(pin).map(([name, all]) => [name, all.map((json) => ({ json }))]);
		const pinData = { ...example.pinData, ...Object.fromEntries(pinned) };
		const copy = await rest.createWorkflow({ ...example, pinData });
		copies.set(file, copy);
		if (use.publish !== false) await rest.activate(copy.id);
	};
	const copyOf = (file = use.file) => copies.get(file)!;
	const ownName = (table: string) => `${table} ${mark}`;
	const insert = async (table: string, rows: DataTableRow[]) =>
		await playground.rest.insertDataTableRows(ownName(table), rows);

	/** By the service's own API. */
	const send = async (path: string, body: object): Promise<string> => {
		const response = await fetch(`${playground.emulator.url}${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': PLAYGROUND_API_KEY },
			body: JSON.stringify(body),
		});
		const { id, data } = sentSchema.parse(await response.json());
		return String(id ?? data?.id);
	};

	beforeAll(async () => {
		const { environment } = use;
		playground = await startPlayground(environment && { ownN8n: { environment } });
	});
	beforeEach(async () => {
		mark = randomUUID().slice(0, 8);
		await playground.control.reset({ autoStatus: false });
		await load(use.file, use);
		for (const file of use.beside ?? []) await load(file, { change: use.change });
	});
	afterAll(async () => await playground.stop());

	return {
		get control() {
			return playground.control;
		},
		get rest() {
			return playground.rest;
		},
		/** Of n8n. */
		get url() {
			return playground.n8n.url;
		},
		/** The part of the node's addresses that is its own. */
		webhookId: (name: string, ofFile?: string): string =>
			String(copyOf(ofFile).nodes.find((node) => node.name === name)?.webhookId),
		/** Of the workflow in n8n. */
		id: (ofFile?: string): string => copyOf(ofFile).id,
		/** What n8n's list of executions shows now. */
		listed: async (ofFile?: string) =>
			await playground.rest.listExecutions({ workflowId: copyOf(ofFile).id }),
		/** Publishes it again. */
		publish: async (): Promise<void> => await playground.rest.activate(copyOf().id),
		/** Restarts the n8n of this file with other settings. */
		restart: async (changes: NodeJS.ProcessEnv): Promise<void> =>
			await playground.n8n.restart?.(changes),
		unpublish: async (): Promise<void> => await playground.rest.deactivate(copyOf().id),
		/** Changes nodes in the editor, and saves. */
		edit: async (change: (node: WorkflowNode) => WorkflowNode): Promise<void> => {
			const saved = copyOf();
			const workflow = { ...saved, nodes: saved.nodes.map(change) };
			copies.set(use.file, await playground.rest.updateWorkflow(saved.id, workflow));
		},
		/** Presses "Execute workflow", and waits for the result. */
		run: async (trigger?: string): Promise<Execution> =>
			await playground.rest.run(copyOf().id, { trigger }),
		/** Presses "Execute workflow"; resolves to the execution's ID. */
		start: async (): Promise<string> => await playground.rest.runWorkflow(copyOf().id),
		/** Waits until events have started this many executions and all have ended, in the order of their start. */
		executions: async (count: number, ofFile?: string): Promise<Execution[]> =>
			await playground.rest.waitForExecutions(copyOf(ofFile).id, count),
		/** As after a first run, which makes the tables: with these rows. */
		withTables: async (rows: Rows): Promise<void> => {
			const { nodes } = exampleFiles[use.file]!;
			if (isCurrent) await makeTables(nodes, { rest: playground.rest, rename: ownName });
			for (const [table, some] of Object.entries(rows)) await insert(table, some);
		},
		/** Enters them into a table that is there. */
		insert,
		rows: async (table: string) => await playground.rest.dataTableRows(ownName(table)),
		/** Changes all rows, or the one with this ID. */
		updateRows: async (table: string, changes: DataTableRow, id?: number): Promise<void> =>
			await playground.rest.updateDataTableRows(ownName(table), changes, id),
		deleteTable: async (table: string): Promise<void> =>
			await playground.rest.deleteDataTable(ownName(table)),
		/** In place of one of this name. */
		addColumn: async (table: string, name: string, type?: string): Promise<void> =>
			await playground.rest.addDataTableColumn(ownName(table), name, type),
		/** Sends an RCS message, which no node does. */
		sendRcs: async (message: {
			recipient: string;
			text: string;
			fallback?: string;
		}): Promise<string> =>
			await send('/v2/rcs/messages', {
				sender: RCS_AGENT,
				recipient: message.recipient,
				content_type: 'text',
				content: { text: { message: message.text } },
				...(message.fallback !== undefined && {
					sms_fallback: { sender: '61491570006', message: message.fallback },
				}),
			}),
		/** Opts a contact out of all lists, or deletes it from them, from outside of the workflow. */
		inAllLists: async (operation: 'optOut' | 'delete', contact: string): Promise<void> => {
			const parameters = { resource: 'contact', operation, contact, from: 'all' };
			const { status } = await playground.run([{}], playground.kudosity(parameters));
			if (status !== 'success') throw new Error(`${operation} of ${contact} did not work`);
		},
		/** Gives a contact list custom fields, from outside of the workflow. */
		addListFields: async (listId: string, names: string[]): Promise<void> => {
			for (const name of names) {
				const parameters = { resource: 'list', operation: 'addField', listId, name };
				const { status } = await playground.run([{}], playground.kudosity(parameters));
				if (status !== 'success') throw new Error(`The field ${name} was not added`);
			}
		},
		/** Channel, sender and recipient of each message that was sent. */
		accepted: async () =>
			(await playground.control.accepted()).map(({ channel, sender, recipient }) => [
				channel,
				sender,
				recipient,
			]),
		/** Sends an SMS from outside of the workflow, and resolves to its id. */
		sendSms: async (recipient: string, fields: Record<string, unknown> = {}): Promise<string> =>
			await send('/v2/sms', {
				message: 'See https://example.com or opt out: [opt-out-link]',
				sender: '61491570006',
				recipient,
				...fields,
			}),
	};
};
