import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { createControl } from '../../playground/emulator/control/client.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { choosePort } from '../../playground/n8n/ports.ts';
import { createRest, type Rest } from '../../playground/n8n/rest/index.ts';
import { createSession } from '../../playground/n8n/rest/session.ts';
import { until } from '../../playground/n8n/until.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { kudosityTriggerType, node, workflow } from '../e2e/workflow.ts';

type Started = { process: ChildProcess; output: string; editor: string; emulator: string };

let folder: string;
const processes: ChildProcess[] = [];

const spawnStart = (...args: string[]) => {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'playground/start.ts', '--data', join(folder, 'data'), ...args],
		{ cwd: projectFolder },
	);
	processes.push(child);
	let output = '';
	child.stdout.on('data', (chunk) => (output += chunk));
	child.stderr.on('data', (chunk) => (output += chunk));
	return { process: child, output: () => output };
};

const ended = async (child: ChildProcess): Promise<number | null> =>
	child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)));

/** What a person reads off the terminal once everything is up. */
const start = async (...args: string[]): Promise<Started> => {
	const { process: child, output } = spawnStart(...args);
	await until({ what: 'the greeting' }, () => {
		if (child.exitCode !== null) throw new Error(`npm start ended: ${output()}`);
		return output().includes('Ctrl-C stops everything') || undefined;
	});
	const [editor, emulator] =
		output()
			.match(/http:\/\/127\.0\.0\.1:\d+/g)
			?.slice(0, 2) ?? [];
	return { process: child, output: output(), editor: editor ?? '', emulator: emulator ?? '' };
};

const isGone = async (url: string): Promise<true | undefined> =>
	await fetch(url).then(
		() => undefined,
		() => true as const,
	);

const firstWorkflow = async (url: string) => {
	const rest = createRest(url);
	await rest.login();
	const found = (await rest.listWorkflows()).filter(({ name }) => name === 'Send your first SMS');
	return { rest, found };
};

const publishTrigger = async (rest: Rest): Promise<void> => {
	const credential = (await rest.listCredentials()).find(({ type }) => type === 'kudosityKeyApi');
	if (credential === undefined) throw new Error('The playground has no credential');
	const trigger = node({
		name: 'Kudosity Trigger',
		type: kudosityTriggerType,
		parameters: { events: ['SMS_INBOUND'] },
		credentials: { kudosityKeyApi: { id: credential.id, name: credential.name } },
	});
	await rest.activate((await rest.createWorkflow(workflow({ nodes: [trigger] }))).id);
};

const workflowResultSchema = z.looseObject({
	ruleId: z.string(),
	affectedWorkflows: z.array(z.looseObject({ name: z.string(), issues: z.array(z.unknown()) })),
});
const reportSchema = z.looseObject({
	report: z.looseObject({ workflowResults: z.array(z.looseObject({ ruleId: z.string() })) }),
	totalWorkflows: z.number(),
});

/** What n8n's own rules for a major version find in the workflows of this n8n. */
const migrationReport = async (url: string, rest: Rest, version: 'v2' | 'v3') => {
	const { call } = createSession(url, rest.cookies);
	const path = '/breaking-changes/report';
	const found = await call('POST', `${path}/refresh?version=${version}`, reportSchema);
	const { report, totalWorkflows } = found;
	const read = async ({ ruleId }: { ruleId: string }) =>
		await call('GET', `${path}/${ruleId}`, workflowResultSchema);
	return { totalWorkflows, findings: await Promise.all(report.workflowResults.map(read)) };
};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'kudosity-start-'));
});

afterAll(async () => {
	for (const child of processes) child.kill('SIGKILL');
	await rm(folder, { recursive: true, force: true });
});

// It starts the current n8n, whichever the other tests run in.
describe.runIf(isCurrent)('npm start', { timeout: 300_000 }, () => {
	it('prints addresses and login, sends an SMS, and has only examples that n8n 3 will run', async () => {
		const { process: child, output, editor, emulator } = await start();
		expect(output).toContain('owner@playground.example');
		const { rest, found } = await firstWorkflow(editor);
		expect(found).toHaveLength(1);
		expect((await rest.run(found[0]?.id ?? '')).status).toBe('success');
		expect(await createControl(emulator).messages()).toHaveLength(1);
		expect(await (await fetch(emulator)).text()).toContain('<html');
		// The tables are there, and one of the contacts has opted out.
		const campaign = (await rest.listWorkflows()).find(({ name }) =>
			/^Send to contacts/.test(name),
		);
		expect((await rest.run(campaign?.id ?? '')).status).toBe('success');
		const outcomes = (await rest.dataTableRows('Kudosity contacts')).map((row) => row.outcome);
		expect(outcomes).toEqual(['dryRun', 'dryRun', 'skipped']);
		// All examples are imported.
		for (const version of ['v2', 'v3'] as const) {
			const { findings, totalWorkflows } = await migrationReport(editor, rest, version);
			expect(findings, `what n8n ${version} no longer does`).toEqual([]);
			expect(totalWorkflows).toBeGreaterThanOrEqual(Object.keys(exampleFiles).length);
		}
		await publishTrigger(rest);

		child.kill('SIGINT');
		expect(await ended(child)).toBe(0);
		expect(await isGone(editor)).toBe(true);
		expect(await isGone(emulator)).toBe(true);
	});

	it('keeps workflows, and makes them fit for other ports', async () => {
		const [port, emulatorPort] = [await choosePort(), await choosePort()];
		const started = await start('--port', `${port}`, '--emulator-port', `${emulatorPort}`);
		const { process: child, editor, emulator } = started;
		expect(editor).toBe(`http://127.0.0.1:${port}`);
		expect(emulator).toBe(`http://127.0.0.1:${emulatorPort}`);
		const { rest, found } = await firstWorkflow(editor);
		expect(found).toHaveLength(1);
		expect((await rest.run(found[0]?.id ?? '')).status).toBe('success');
		const control = createControl(emulator);
		expect(await control.messages()).toHaveLength(1);

		const trigger = (await rest.listWorkflows()).find(({ active }) => active);
		await control.inbound({ from: '61491573087', to: '61491570006', text: 'Still there?' });
		const [execution] = await rest.waitForExecutions(trigger?.id ?? '', 1);
		expect(execution?.nodes['Kudosity Trigger']?.items[0]?.json.text).toBe('Still there?');

		const second = spawnStart();
		expect(await ended(second.process)).toBe(1);
		expect(second.output()).toContain('running already');

		child.kill('SIGKILL');
		await until({ what: 'n8n to end with its parent' }, () => isGone(editor));
	});

	it.each([
		[['--port', 'many'], '"many" is not a port number'],
		[['--n8n', '3'], 'Unknown n8n version "3". Available: 2.41.1, 1.123.81'],
	])('explains an option it cannot use, and ends: %j', async (option, explanation) => {
		const { process: child, output } = spawnStart(...option);
		expect(await ended(child)).toBe(1);
		expect(output().trim()).toBe(explanation);
	});
});
