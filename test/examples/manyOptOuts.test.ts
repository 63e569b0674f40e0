import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastLines } from '../../playground/n8n/command.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import type { TestN8n } from '../e2e/startN8n.ts';
import { lazySandboxes } from '../helpers/lazySandboxes.ts';
import { contactsTable, optOutsTable, sending } from './campaignNodes.ts';
import { makeTables } from './handMadeTables.ts';
import { readExample } from './readExample.ts';

const [optedOut, contacts] = [50_000, 10_000];

/** So that what is garbage does not count: with more room, n8n takes more. */
const smallHeap = { NODE_OPTIONS: '--max-old-space-size=640' };

/** As the note asks for with thousands of contacts: n8n keeps no data of what succeeds. */
const unsaved = { saveManualExecutions: false };

const insert = async (
	{ rest }: Playground,
	table: string,
	rows: Array<Record<string, unknown>>,
) => {
	for (let done = 0; done < rows.length; done += 2_000) {
		await rest.insertDataTableRows(table, rows.slice(done, done + 2_000));
	}
};

/** The most memory that the process has ever had. */
const peakMegabytes = async (pid: number): Promise<number> => {
	const status = await readFile(`/proc/${pid}/status`, 'utf8');
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
};

// Half an hour, so it has a phase of its own in CI.
describe.runIf(process.env.KUDOSITY_MANY_OPT_OUTS)(
	'campaign.json, with 50,000 opt-outs and 10,000 contacts',
	() => {
		let playground: Playground;
		let n8n: TestN8n;
		beforeAll(async () => {
			playground = await startPlayground({
				ownN8n: { environment: { ...lazySandboxes, ...smallHeap } },
			});
			n8n = playground.n8n as TestN8n;
		});
		afterAll(async () => await playground.stop());

		it(
			'sends to all who have not opted out, and n8n stays below 1 GB',
			{ timeout: 5_400_000 },
			async () => {
				const { control, rest } = playground;
				await control.reset({ requestsPerSecond: 0, autoStatus: false, balance: 1_000_000 });
				const example = await readExample(playground, 'campaign.json', sending());
				const { id } = await playground.save({
					...example,
					settings: { ...example.settings, ...unsaved },
				});
				await makeTables(rest, example.nodes);
				const phones = (from: number, count: number) =>
					Array.from({ length: count }, (_, index) => ({ phone: String(from + index) }));
				await insert(playground, optOutsTable, phones(61_491_000_000, optedOut));
				const rows = phones(61_491_000_000 + optedOut - 100, contacts);
				await insert(playground, contactsTable, rows);
				// What the schedule does: 500 contacts each time.
				for (let runs = 0; runs < contacts / 500; runs++) {
					const run = await rest.runWorkflow(id);
					await rest.waitForExecution(run, { timeoutMs: 300_000 }).catch(() => undefined);
				}

				const end = lastLines(n8n.current().logs(), 40);
				expect(await control.messages(), end).toHaveLength(contacts - 100);
				const peak = await peakMegabytes(n8n.current().process.pid!);
				console.log(`${peak.toFixed(0)} MB at most`);
				expect(peak).toBeLessThan(1024);
			},
		);
	},
);
