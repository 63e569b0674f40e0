/**
 * What a reply costs n8n while 1, 100 and 1,000 questions are open on a sender, matched by person and by message:
 * how often it is delivered, and how long n8n takes for all of it. Takes about 8 minutes; `--most 100` leaves
 * the thousand out.
 */
import { parseArgs } from 'node:util';
import { createControl, type Control } from '../../playground/emulator/control.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import { until } from '../../playground/n8n/until.ts';
import { startN8n, type TestN8n } from '../e2e/startN8n.ts';
import { kudosityType, manualTrigger, node, workflow } from '../e2e/workflow.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';
import { mostMegabytes } from './mostMegabytes.ts';

const { values: flags } = parseArgs({ options: { most: { type: 'string' } }, strict: false });
const counts = [1, 100, 1000].filter((count) => count <= Number(flags.most ?? 1000));
const matchBys = ['person', 'message'] as const;
const sender = '61491570156';
const longestMs = 600_000;

const phoneOf = (number: number): string => String(61_491_000_000 + number);

const asking = async ({ rest }: TestN8n, url: string, matchBy: string) => {
	const key = emulatorCredentials(url).find(({ type }) => type === 'kudosityKeyApi')!;
	const { id, name } = await rest.createCredential(key);
	const called = node({
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	const ask = node({
		name: 'Ask',
		type: kudosityType,
		credentials: { kudosityKeyApi: { id, name } },
		parameters: {
			resource: 'sms',
			operation: 'sendAndWait',
			message: 'Yes or no?',
			sender,
			recipient: '={{ $json.phone }}',
			options: { matchBy },
		},
	});
	return await rest.createWorkflow(workflow({ nodes: [called, ask] }));
};

/** Runs the workflow that asks once for each person, without waiting for it. */
const askAll = async ({ rest }: TestN8n, id: string, phones: string[]): Promise<void> => {
	const each = node({
		name: 'Each',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.1,
		parameters: {
			workflowId: { __rl: true, mode: 'id', value: id },
			mode: 'each',
			options: { waitForSubWorkflow: false },
		},
	});
	const items = phones.map((phone) => ({ phone }));
	const parent = await rest.createWorkflow(workflow({ nodes: [manualTrigger(), each], items }));
	await rest.runWorkflow(parent.id);
};

const areParked = async ({ rest }: TestN8n, workflowId: string, least: number) =>
	await until(
		{ what: 'the questions to wait', timeoutMs: longestMs, intervalMs: 500 },
		async () => {
			const recent = await rest.listExecutions({ workflowId });
			const waiting = recent.filter(({ status }) => status === 'waiting');
			return waiting.length >= Math.min(least, 100) || undefined;
		},
	);

const goesOn = async ({ rest }: TestN8n, workflowId: string) =>
	await until(
		{ what: 'the question to go on', timeoutMs: longestMs, intervalMs: 200 },
		async () => {
			const recent = await rest.listExecutions({ workflowId });
			return recent.some(({ status }) => status === 'success') || undefined;
		},
	);

/** Writes as one of the persons, and waits until every delivery was answered and the question went on. */
const replyAs = async (
	control: Control,
	from: string,
	webhooks: number,
	asked: Promise<unknown>,
) => {
	const begunMs = performance.now();
	const secondsSo = () => (performance.now() - begunMs) / 1000;
	await control.inbound({ from, to: sender, text: 'Yes' });
	const [deliveries, wentOn] = await Promise.all([
		control
			.waitForDeliveries({ attempt: 1 }, { count: webhooks, timeoutMs: longestMs })
			.then((found) => ({ found, seconds: secondsSo() })),
		asked.then(secondsSo),
	]);
	return { deliveries: deliveries.found, seconds: deliveries.seconds, wentOn };
};

const measure = async (matchBy: (typeof matchBys)[number], count: number): Promise<Figure> => {
	const settings = { autoStatus: false, requestsPerSecond: 0, deliveryTimeoutMs: longestMs };
	const emulator = await startEmulator({ settings });
	const n8n = await startN8n();
	const control = createControl(emulator.url);
	try {
		const { id } = await asking(n8n, emulator.url, matchBy);
		const phones = Array.from({ length: count }, (_, number) => phoneOf(number));
		const begunMs = performance.now();
		await askAll(n8n, id, phones);
		await control.waitForMessages({}, { count, timeoutMs: longestMs });
		await areParked(n8n, id, count);
		const askedSeconds = (performance.now() - begunMs) / 1000;
		const expected = matchBy === 'message' ? 1 : count;
		const asked = goesOn(n8n, id);
		const { deliveries, seconds, wentOn } = await replyAs(
			control,
			phoneOf(count - 1),
			expected,
			asked,
		);
		const slowestMs = Math.max(...deliveries.map(({ durationMs }) => durationMs ?? 0));
		return {
			what: `a reply while ${count} questions are open`,
			by: matchBy === 'message' ? 'This Message' : 'Person',
			results: {
				deliveries: String(deliveries.length),
				'not accepted': String(deliveries.filter(({ ok }) => !ok).length),
				'all answered after': `${seconds.toFixed(2)} s`,
				'slowest answer': `${(slowestMs / 1000).toFixed(2)} s`,
				'went on after': `${wentOn.toFixed(2)} s`,
				'asked within': `${askedSeconds.toFixed(0)} s`,
				memory: `${mostMegabytes(n8n.current().process.pid)} MB`,
			},
		};
	} finally {
		await n8n.stop();
		await emulator.close();
	}
};

const bench: Bench = async () => {
	const figures: Figure[] = [];
	for (const count of counts) {
		for (const matchBy of matchBys) figures.push(await measure(matchBy, count));
	}
	return figures;
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
