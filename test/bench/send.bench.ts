/**
 * 1,000 sends in a real n8n against a service that drops what exceeds 15 requests a second: this package
 * beside the HTTP Request node as people set it up. Takes about 10 minutes; `--items 100` makes it shorter.
 */
import { parseArgs } from 'node:util';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import type { Control } from '../../playground/emulator/control/client.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { manualTrigger, node, workflow } from '../e2e/workflow.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import {
	httpRequest,
	kudosity,
	phones,
	smsRequest,
	timeWorkflow,
	withN8n,
	type Host,
} from './setup.ts';

const { values: flags } = parseArgs({ options: { items: { type: 'string' } }, strict: false });
const count = Number(flags.items ?? 1000);
const latenciesMs = [60, 200];
const serviceLimit = 15;
const longestRunMs = 600_000;

const items = phones(count);
const sms = { message: 'Your order is ready', sender: '61491570006' };

type Strategy = { by: string; draft: Workflow; isOurs?: boolean };

const httpSend = (url: string, options: object): WorkflowNode =>
	httpRequest(
		{
			...smsRequest(url, sms),
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'x-api-key', value: PLAYGROUND_API_KEY }] },
			options,
		},
		{ onError: 'continueRegularOutput' },
	);

/** One item after the other, as most SMS nodes do it: a loop around the HTTP Request node. */
const oneByOne = (url: string): Workflow => {
	const start = manualTrigger();
	const loop = node({
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 1, options: {} },
	});
	const request = httpSend(url, {});
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
	workflow({ nodes: [manualTrigger(), last], items });

/** Counts against the service's own book, whatever the node says. */
const accountBook = async (control: Control) => {
	const recipients = (await control.messages()).map(({ recipient }) => recipient);
	const delivered = new Set(recipients).size;
	const refused = await control.requests({ status: 429 });
	return { delivered, repeated: recipients.length - delivered, throttled: refused.length };
};

const batchingDefaults = { batching: { batch: { batchSize: 50, batchInterval: 1000 } } };

const strategiesOf = ({ url, credentials }: Host): Strategy[] => {
	const send = { resource: 'sms', operation: 'send', ...sms, recipient: '={{ $json.phone }}' };
	return [
		{
			by: 'Kudosity node',
			draft: inARow(kudosity({ ...send, options: {} }, { credentials })),
			isOurs: true,
		},
		{ by: 'HTTP Request, defaults', draft: inARow(httpSend(url, {})) },
		{ by: 'HTTP Request, batching defaults', draft: inARow(httpSend(url, batchingDefaults)) },
		{ by: 'HTTP Request in a loop', draft: oneByOne(url) },
	];
};

const measure = async (
	{ rest, control }: Host,
	latencyMs: number,
	{ by, draft, isOurs }: Strategy,
): Promise<Figure> => {
	await control.reset({ requestsPerSecond: serviceLimit, latencyMs, autoStatus: false });
	const { seconds } = await timeWorkflow(rest, draft, { timeoutMs: longestRunMs });
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

export default await defineBench(
	import.meta.filename,
	async () =>
		await withN8n(async (host) => {
			const strategies = strategiesOf(host);
			return await measureEach(
				latenciesMs,
				async (latencyMs) =>
					await measureEach(strategies, async (each) => await measure(host, latencyMs, each)),
			);
		}),
);
