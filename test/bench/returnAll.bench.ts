/**
 * Return All of 2,000 numbers in a real n8n at 200 ms latency: this package beside the pagination of the
 * HTTP Request node, with the service's default page size and with the largest. Takes about a minute.
 */
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { manualTrigger, workflow } from '../e2e/workflow.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import { httpRequest, kudosity, timeWorkflow, withN8n, type Host } from './setup.ts';

const settings = {
	requestsPerSecond: 15,
	latencyMs: 200,
	numbersOwned: 2000,
	autoStatus: false,
};
const longestRunMs = 180_000;

/** As its documentation says: a page parameter that counts, until the service has no more pages. */
const httpRead = (url: string, max: number | undefined): WorkflowNode =>
	httpRequest({
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
	});

const recordsIn = (items: Array<{ json: Record<string, unknown> }>): number =>
	items
		.map(({ json }) => (Array.isArray(json.numbers) ? json.numbers.length : 1))
		.reduce((sum, count) => sum + count, 0);

type Reader = { by: string; reader: WorkflowNode; isOurs?: boolean };

const measure = async (
	{ rest, control }: Host,
	{ by, reader, isOurs }: Reader,
): Promise<Figure> => {
	await control.reset(settings);
	const draft = workflow({ nodes: [manualTrigger(), reader] });
	const { seconds, nodes } = await timeWorkflow(rest, draft, { timeoutMs: longestRunMs });
	const requests = await control.requests({ path: '/get-numbers.json' });
	const records = recordsIn(nodes[reader.name]?.items ?? []);
	const isKept = records === 2000 && requests.length === 20 && seconds <= 3;
	return {
		what: 'Return All of 2,000 numbers in n8n, 200 ms latency',
		by,
		results: {
			seconds: seconds.toFixed(1),
			requests: String(requests.length),
			records: records.toLocaleString('en'),
			'429s met': String(requests.filter(({ status }) => status === 429).length),
		},
		...(isOurs && { bound: { text: 'all of them with 20 requests, at most 3 s', isKept } }),
	};
};

const readersOf = ({ url, credentials }: Host): Reader[] => {
	const readAll = { resource: 'number', operation: 'getAll', filter: 'owned', returnAll: true };
	const theirs = (max?: number) => ({ ...httpRead(url, max), credentials });
	return [
		{ by: 'Kudosity node', reader: kudosity(readAll, { credentials }), isOurs: true },
		{ by: 'HTTP Request pagination, 100 a page', reader: theirs(100) },
		{ by: 'HTTP Request pagination, default page size', reader: theirs() },
	];
};

export default await defineBench(
	import.meta.filename,
	async () =>
		await withN8n(async (host) => {
			const readers = readersOf(host);
			// The first run of each loads code that the others use as well.
			for (const each of readers.slice(0, 2)) await measure(host, each);
			return await measureEach(readers, async (each) => await measure(host, each));
		}),
);
