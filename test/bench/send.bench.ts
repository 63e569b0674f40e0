/**
 * 1,000 sends in a real n8n against a service that drops what exceeds 15 requests a second: this package
 * beside the HTTP Request node as people set it up. Takes about 10 minutes; `--items 100` makes it shorter.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/account.ts';
import { createControl } from '../../playground/emulator/control.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { startN8n } from '../e2e/startN8n.ts';
import { kudosityType, manualTrigger, node, workflow } from '../e2e/workflow.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const { values: flags } = parseArgs({ options: { items: { type: 'string' } }, strict: false });
const count = Number(flags.items ?? 1000);
const latenciesMs = [60, 200];
const serviceLimit = 15;
const longestRunMs = 600_000;

const items = Array.from({ length: count }, (_, index) => ({ phone: String(61491000000 + index) }));
const text = 'Your order is ready';
const sender = '61491570006';

type Strategy = { by: string; draft: Workflow; isOurs: boolean };

const httpRequest = (url: string, options: object): WorkflowNode =>
	node({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		onError: 'continueRegularOutput',
		parameters: {
			method: 'POST',
			url: `${url}/v2/sms`,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'x-api-key', value: PLAYGROUND_API_KEY }] },
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ { "message": "${text}", "sender": "${sender}", "recipient": $json.phone } }}`,
			options,
		},
	});

/** One item after the other, as most SMS nodes do it: a loop around the HTTP Request node. */
const oneByOne = (url: string): Workflow => {
	const start = manualTrigger();
	const loop = node({
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 1, options: {} },
	});
	const request = httpRequest(url, {});
	const to = (target: WorkflowNode) => [{ node: target.name, type: 'main', index: 0 }];
	return {
		...workflow({ nodes: [start, loop, request], items }),
		connections: {
			[start.name]: { main: [to(loop)] },
			[loop.name]: { main: [[], to(request)] },
			[request.name]: { main: [to(loop)] },
		},
	};
};

const inARow = (last: WorkflowNode): Workflow =>
	workflow({ nodes: [manualTrigger(), last], items, name: randomUUID() });

/** Counts against the service's own book, whatever the node says. */
const accountBook = async (control: ReturnType<typeof createControl>) => {
	const recipients = (await control.messages()).map(({ recipient }) => recipient);
	const delivered = new Set(recipients).size;
	const refused = await control.requests({ status: 429 });
	return { delivered, repeated: recipients.length - delivered, throttled: refused.length };
};

const bench: Bench = async () => {
	const emulator = await startEmulator();
	const control = createControl(emulator.url);
	const n8n = await startN8n();
	try {
		const credentials = Object.fromEntries(
			await Promise.all(
				emulatorCredentials(emulator.url).map(async (credential) => [
					credential.type,
					{ id: (await n8n.rest.createCredential(credential)).id, name: credential.name },
				]),
			),
		);
		const ours = node({
			name: 'Kudosity',
			type: kudosityType,
			credentials,
			parameters: {
				resource: 'sms',
				operation: 'send',
				message: text,
				sender,
				recipient: '={{ $json.phone }}',
				options: {},
			},
		});
		const batchingDefaults = { batching: { batch: { batchSize: 50, batchInterval: 1000 } } };
		const strategies: Strategy[] = [
			{ by: 'Kudosity node', draft: inARow(ours), isOurs: true },
			{
				by: 'HTTP Request, defaults',
				draft: inARow(httpRequest(emulator.url, {})),
				isOurs: false,
			},
			{
				by: 'HTTP Request, batching defaults',
				draft: inARow(httpRequest(emulator.url, batchingDefaults)),
				isOurs: false,
			},
			{ by: 'HTTP Request in a loop', draft: oneByOne(emulator.url), isOurs: false },
		];

		const measure = async (latencyMs: number, { by, draft, isOurs }: Strategy): Promise<Figure> => {
			const settings = { requestsPerSecond: serviceLimit, latencyMs, autoStatus: false };
			await control.reset(settings);
			const { id } = await n8n.rest.createWorkflow(draft);
			const begunMs = performance.now();
			const executionId = await n8n.rest.runWorkflow(id);
			await n8n.rest.waitForExecution(executionId, { timeoutMs: longestRunMs });
			const seconds = (performance.now() - begunMs) / 1000;
			await n8n.rest.deleteWorkflow(id);
			const { delivered, repeated, throttled } = await accountBook(control);
			const longest = (1.05 * count) / 14;
			const isKept = delivered === count && repeated === 0 && seconds <= longest;
			return {
				what: `${count.toLocaleString('en')} sends at ${latencyMs} ms latency`,
				by,
				results: {
					seconds: seconds.toFixed(1),
					delivered: delivered.toLocaleString('en'),
					lost: (count - delivered).toLocaleString('en'),
					repeated: String(repeated),
					'429s met': String(throttled),
				},
				...(isOurs && {
					bound: { text: `none lost or repeated, at most ${longest.toFixed(1)} s`, isKept },
				}),
			};
		};

		const figures: Figure[] = [];
		for (const latencyMs of latenciesMs) {
			for (const strategy of strategies) figures.push(await measure(latencyMs, strategy));
		}
		return figures;
	} finally {
		await n8n.stop();
		await emulator.close();
	}
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
