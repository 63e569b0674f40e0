import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod/v4';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/account.ts';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import type { Execution } from '../../playground/n8n/execution.ts';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { readExample } from './readExample.ts';

const sentRcsSchema = z.object({ data: z.object({ id: z.string() }) });

type ExampleUse = {
	/** In `examples/`. */
	file: string;
	/** Data tables that the workflow makes: gone before each test. */
	tables?: string[];
	/** What a user would change in the editor before the first run. */
	change?: (node: WorkflowNode) => WorkflowNode;
	/** Other files of `examples/` that are published beside it. */
	beside?: string[];
	/** False for a workflow that only starts by hand. */
	publish?: boolean;
};

/**
 * Imports a file of `examples/` before each test, chooses the credentials as the file asks its user to do,
 * and publishes it. Read the members inside tests only.
 */
export const useExample = (use: ExampleUse) => {
	let playground: Playground;
	let id = '';
	const beside = new Map<string, string>();

	beforeAll(async () => {
		playground = await startPlayground();
	});
	beforeEach(async () => {
		for (const table of use.tables ?? []) await playground.rest.deleteDataTable(table);
		await playground.control.reset({ autoStatus: false });
		const workflow = await readExample(playground, use.file, use.change);
		({ id } = await playground.save(workflow));
		if (use.publish !== false) await playground.rest.activate(id);
		for (const file of use.beside ?? []) {
			const other = await playground.save(await readExample(playground, file));
			beside.set(file, other.id);
			await playground.rest.activate(other.id);
		}
	});
	afterEach(async () => {
		// All copies share the trigger's address, so two of them cannot be published at the same time.
		if (use.publish !== false) await playground.rest.deactivate(id);
		for (const other of beside.values()) await playground.rest.deactivate(other);
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
		/** Publishes it again. */
		publish: async (): Promise<void> => await playground.rest.activate(id),
		unpublish: async (): Promise<void> => await playground.rest.deactivate(id),
		/** Presses "Execute workflow", and waits for the result. */
		run: async (trigger?: string): Promise<Execution> => await playground.rest.run(id, { trigger }),
		/** Presses "Execute workflow"; resolves to the execution's ID. */
		start: async (): Promise<string> => await playground.rest.runWorkflow(id),
		/** Waits until events have started this many executions and all have ended, in the order of their start. */
		executions: async (count: number, ofFile?: string): Promise<Execution[]> =>
			await playground.rest.waitForExecutions(
				ofFile === undefined ? id : String(beside.get(ofFile)),
				count,
			),
		rows: async (table: string) => await playground.rest.dataTableRows(table),
		/** Sends an RCS message, which no node does, by the service's own API. */
		sendRcs: async (message: {
			recipient: string;
			text: string;
			fallback?: string;
		}): Promise<string> => {
			const response = await fetch(`${playground.emulator.url}/v2/rcs/messages`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', 'x-api-key': PLAYGROUND_API_KEY },
				body: JSON.stringify({
					sender: RCS_AGENT,
					recipient: message.recipient,
					content_type: 'text',
					content: { text: { message: message.text } },
					...(message.fallback !== undefined && {
						sms_fallback: { sender: '61491570006', message: message.fallback },
					}),
				}),
			});
			return sentRcsSchema.parse(await response.json()).data.id;
		},
		/** Opts a contact out of all lists, or deletes it from them, from outside of the workflow. */
		inAllLists: async (operation: 'optOut' | 'delete', contact: string): Promise<void> => {
			const parameters = { resource: 'contact', operation, contact, allLists: true };
			const { status } = await playground.run([{}], playground.kudosity(parameters));
			if (status !== 'success') throw new Error(`${operation} of ${contact} did not work`);
		},
		/** Sends an SMS from outside of the workflow, and resolves to its id. */
		sendSms: async (recipient: string, options: Record<string, unknown> = {}): Promise<string> => {
			const send = playground.kudosity({
				resource: 'sms',
				operation: 'send',
				message: 'See https://example.com or opt out: [opt-out-link]',
				sender: '61491570006',
				recipient,
				options,
			});
			const { nodes } = await playground.run([{}], send);
			return String(nodes.Kudosity?.items[0]?.json.id);
		},
	};
};
