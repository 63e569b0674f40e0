/**
 * Return All of 2,000 numbers in a real n8n at 200 ms latency: this package beside the pagination of the
 * HTTP Request node, with the service's default page size and with the largest. Takes about a minute.
 */
import { createControl } from '../../playground/emulator/control.ts';
import { startEmulator } from '../../playground/emulator/server.ts';
import { emulatorCredentials } from '../../playground/n8n/playgroundCredentials.ts';
import type { WorkflowNode } from '../../playground/n8n/workflowCalls.ts';
import { startN8n, type TestN8n } from '../e2e/startN8n.ts';
import { kudosityType, manualTrigger, node, workflow } from '../e2e/workflow.ts';
import { runAlone, type Bench, type Figure } from './figure.ts';

const settings = {
	requestsPerSecond: 15,
	latencyMs: 200,
	numbersOwned: 2000,
	autoStatus: false,
};
const longestRunMs = 180_000;

/** As its documentation says: a page parameter that counts, until the service has no more pages. */
const httpRequest = (url: string, max: number | undefined): WorkflowNode =>
	node({
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${url}/get-numbers.json`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'kudosityBasicApi',
			sendQuery: max !== undefined,
			queryParameters: { parameters: [{ name: 'max', value: String(max) }] },
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $response.body.page.number >= $response.body.page.count }}',
						limitPagesFetched: true,
						maxRequests: 1000,
					},
				},
			},
		},
	});

const recordsIn = (items: Array<{ json: Record<string, unknown> }>): number =>
	items
		.map(({ json }) => (Array.isArray(json.numbers) ? json.numbers.length : 1))
		.reduce((sum, count) => sum + count, 0);

const measure = async (
	{ rest }: TestN8n,
	control: ReturnType<typeof createControl>,
	reader: WorkflowNode,
) => {
	const { id } = await rest.createWorkflow(workflow({ nodes: [manualTrigger(), reader] }));
	await control.reset(settings);
	const begunMs = performance.now();
	const executionId = await rest.runWorkflow(id);
	const { nodes } = await rest.waitForExecution(executionId, { timeoutMs: longestRunMs });
	const seconds = (performance.now() - begunMs) / 1000;
	const requests = await control.requests({ path: '/get-numbers.json' });
	await rest.deleteWorkflow(id);
	return {
		seconds,
		requests: requests.length,
		throttled: requests.filter(({ status }) => status === 429).length,
		records: recordsIn(nodes[reader.name]?.items ?? []),
	};
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
			parameters: { resource: 'number', operation: 'getAll', filter: 'owned', returnAll: true },
		});
		const readers = [
			{ by: 'Kudosity node', reader: ours },
			{
				by: 'HTTP Request pagination, 100 a page',
				reader: { ...httpRequest(emulator.url, 100), credentials },
			},
			{
				by: 'HTTP Request pagination, default page size',
				reader: { ...httpRequest(emulator.url, undefined), credentials },
			},
		];
		// The first run of each loads code that the others use as well.
		for (const { reader } of readers.slice(0, 2)) await measure(n8n, control, reader);

		const figures: Figure[] = [];
		for (const { by, reader } of readers) {
			const { seconds, requests, throttled, records } = await measure(n8n, control, reader);
			figures.push({
				what: 'Return All of 2,000 numbers in n8n, 200 ms latency',
				by,
				results: {
					seconds: seconds.toFixed(1),
					requests: String(requests),
					records: records.toLocaleString('en'),
					'429s met': String(throttled),
				},
			});
		}
		return figures;
	} finally {
		await n8n.stop();
		await emulator.close();
	}
};

export default bench;

if (process.argv[1] === import.meta.filename) await runAlone(bench);
