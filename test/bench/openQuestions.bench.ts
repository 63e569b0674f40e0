/**
 * What a reply costs n8n while 1, 100 and 1,000 questions are open on a sender, matched by person and by message:
 * how often it is delivered, and how long n8n takes for all of it. Takes about 8 minutes; `--most 100` leaves
 * the thousand out.
 */
import { parseArgs } from 'node:util';
import type { Control } from '../../playground/emulator/control/client.ts';
import { until } from '../../playground/n8n/until.ts';
import type { Rest } from '../../playground/n8n/rest/index.ts';
import { manualTrigger, node, workflow } from '../e2e/workflow.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import { maxMegabytes } from './memoryUse.ts';
import { kudosity, phones, withN8n, type Host } from './setup.ts';

const { values: flags } = parseArgs({ options: { most: { type: 'string' } }, strict: false });
const counts = [1, 100, 1000].filter((count) => count <= Number(flags.most ?? 1000));
const matchBys = ['person', 'message'] as const;
const sender = '61491570156';
const longestMs = 600_000;

const asking = async ({ rest, credentials }: Host, matchBy: string) => {
	const { kudosityKeyApi } = credentials;
	const called = node({
		name: 'Called',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	const ask = kudosity(
		{
			resource: 'sms',
			operation: 'sendAndWait',
			message: 'Yes or no?',
			sender,
			recipient: '={{ $json.phone }}',
			options: { matchBy },
		},
		{ name: 'Ask', credentials: { kudosityKeyApi } },
	);
	return await rest.createWorkflow(workflow({ nodes: [called, ask] }));
};

/** Runs the workflow that asks once for each person, without waiting for it. */
const askAll = async (rest: Rest, id: string, items: object[]): Promise<void> => {
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
	const parent = await rest.createWorkflow(workflow({ nodes: [manualTrigger(), each], items }));
	await rest.runWorkflow(parent.id);
};

const areParked = async (rest: Rest, workflowId: string, least: number) =>
	await until(
		{ what: 'the questions to wait', timeoutMs: longestMs, intervalMs: 500 },
		async () => {
			const recent = await rest.listExecutions({ workflowId });
			const waiting = recent.filter(({ status }) => status === 'waiting');
			return waiting.length >= Math.min(least, 100) || undefined;
		},
	);

const goesOn = async (rest: Rest, workflowId: string) =>
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

type Case = { matchBy: (typeof matchBys)[number]; count: number };

const measure = async (host: Host, { matchBy, count }: Case): Promise<Figure> => {
	const { n8n, rest, control } = host;
	const { id } = await asking(host, matchBy);
	const people = phones(count);
	const begunMs = performance.now();
	await askAll(rest, id, people);
	await control.waitForMessages({}, { count, timeoutMs: longestMs });
	await areParked(rest, id, count);
	const askedSeconds = (performance.now() - begunMs) / 1000;
	const expected = matchBy === 'message' ? 1 : count;
	const asked = goesOn(rest, id);
	const replied = await replyAs(control, people.at(-1)!.phone, expected, asked);
	const { deliveries, seconds, wentOn } = replied;
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
			memory: `${maxMegabytes(n8n.current().process.pid)} MB`,
		},
	};
};

export default await defineBench(import.meta.filename, async () => {
	const cases = counts.flatMap((count) => matchBys.map((matchBy) => ({ matchBy, count })));
	const settings = { autoStatus: false, requestsPerSecond: 0, deliveryTimeoutMs: longestMs };
	return await measureEach(
		cases,
		async (each) => await withN8n(async (host) => await measure(host, each), { settings }),
	);
});
