/** What only a real n8n knows about a list: when its node ran, and whether its data is pinned. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { createSession } from '../../playground/n8n/rest/session.ts';
import { startPlayground, type Playground } from './harness.ts';
import { manualTrigger, node, workflow } from './workflow.ts';

const [ana, ben] = ['61491570006', '61491570156'];
const settings = { requestsPerSecond: 0, autoStatus: false };

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => await playground.control.reset(settings));
afterAll(async () => await playground.stop());

const getOptOuts = () =>
	node({
		name: 'Get opt-outs',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ phone: ana }) },
	});

/** Everybody who opted out, and a message to Ana and Ben in one request. */
const save = async ({
	pinData = {},
	options = {},
}: { pinData?: object; options?: object } = {}) => {
	const draft = workflow({
		nodes: [
			manualTrigger(),
			getOptOuts(),
			playground.kudosity(
				{
					resource: 'bulkSms',
					operation: 'send',
					...{ sender: 'Acme', message: 'Hi', recipients: `${ana}, ${ben}`, output: 'raw' },
					options,
					limits: {
						blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}",
					},
				},
				{ name: 'Send' },
			),
		],
	});
	return (await playground.rest.createWorkflow({ ...draft, pinData } as typeof draft)).id;
};

/** "Execute step" of the node that sends, with what the earlier nodes put out some time ago. */
const runStep = async (id: string, agoMs: number) => {
	const taskOf = (json: object, startTime: number, previousNode?: string) => ({
		...{ startTime, executionTime: 1, executionIndex: 0, executionStatus: 'success' },
		source: previousNode === undefined ? [] : [{ previousNode }],
		data: { main: [[{ json, pairedItem: { item: 0 } }]] },
	});
	const startTime = Date.now() - agoMs;
	const { executionId } = await createSession(playground.n8n.url, playground.rest.cookies).call(
		'POST',
		`/workflows/${id}/run`,
		z.object({ executionId: z.string() }),
		{
			workflowData: await playground.rest.readWorkflow(id),
			runData: {
				Start: [taskOf({}, startTime)],
				'Get opt-outs': [taskOf({ phone: ana }, startTime, 'Start')],
			},
			destinationNode: { nodeName: 'Send', mode: 'inclusive' },
		},
	);
	return await playground.rest.waitForExecution(executionId, { statuses: ['success', 'error'] });
};

const runAll = async (id: string) =>
	await playground.rest.waitForExecution(await playground.rest.runWorkflow(id), {
		statuses: ['success', 'error'],
	});

const sentTo = async () => (await playground.control.accepted()).map(({ recipient }) => recipient);

it('sends with rows that the editor kept for a minute, and refuses those of yesterday', async () => {
	const id = await save();
	const fresh = await runStep(id, 60_000);
	expect(fresh.error?.message).toBeUndefined();
	expect(await sentTo()).toEqual([ben]);

	await playground.control.reset(settings);
	const { status, error } = await runStep(id, 24 * 3_600_000);
	expect(status).toBe('error');
	expect(`${error?.message}. ${error?.description}`).toMatch(
		/returned over an hour ago.*Run Get opt-outs again right before this node/,
	);
	expect(await sentTo()).toEqual([]);
});

it('refuses pinned rows in a manual run, unless it is a dry run', async () => {
	const pinData = { 'Get opt-outs': [{ json: { phone: ana } }] };
	const { status, error } = await runAll(await save({ pinData }));
	expect(status).toBe('error');
	expect(error?.message).toContain('the output of Get opt-outs is pinned');

	const dry = await runAll(await save({ pinData, options: { dryRun: 'manual' } }));
	expect(dry.status).toBe('success');
	expect(await sentTo()).toEqual([]);

	const others = await runAll(await save({ pinData: { Start: [{ json: {} }] } }));
	expect(others.status).toBe('success');
	expect(await sentTo()).toEqual([ben]);
});
