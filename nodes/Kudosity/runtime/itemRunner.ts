import type { IExecuteFunctions } from 'n8n-workflow';
import { NotStartedError } from '../api/errors';
import { createService, type Service } from '../api/service';
import type { Clock } from '../lib/async';
import type { TransportAt } from '../api/transport';
import type { Input } from '../fields/field';
import { sendOptionsOf } from '../fields/sendOptions';
import { memoizeAsync } from '../lib/async';
import type { Json } from '../lib/json';
import type { Operation, Output } from '../operation';
import { type Tally, withoutWriting } from '../send/dryRun';
import type { Dispatch, Prepared } from '../send/attempt';
import type { Pipeline } from '../send/pipeline';
import type { YieldIfDue } from './clock';
import { failureCodeOf } from './nodeErrors';
import { checkDelivery } from './transport';

export const isNotStarted = (result: PromiseSettledResult<unknown> | undefined): boolean =>
	result === undefined ||
	(result.status === 'rejected' && result.reason instanceof NotStartedError);

/** So many sends in a row that nobody answered: the service is in trouble. */
const maxUnanswered = 10;

/**
 * Whether another item may begin. Where the node stops at a failure, nothing begins after one, nor while the
 * service is in trouble: a batch must not become thousands of messages of unknown outcome.
 */
export const createCircuitBreaker = (stopAtFailure: boolean) => {
	let hasFailed = false;
	let unanswered = 0;
	return {
		isClosed: (): boolean => !stopAtFailure || (!hasFailed && unanswered < maxUnanswered),
		failed: () => void (hasFailed = true),
		unanswered: () => void unanswered++,
		answered: () => void (unanswered = 0),
	};
};

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** In the order of the items; those that never began have none. */
export type Results = Array<PromiseSettledResult<Json[]>>;

export type ItemRunnerOptions = {
	operation: Extract<Operation, { annotator?: undefined }>;
	/** Of an operation that is not to be done twice. */
	pipeline: Pipeline | undefined;
	clock: Clock;
	transportAt: TransportAt;
	breaker: CircuitBreaker;
	breathe: YieldIfDue;
	tally: Tally;
};

/** Collected before anything is passed on: a failure on page 3 leaves no half list. */
const collect = async (output: Output): Promise<Json[]> => {
	if (Array.isArray(output)) return output;
	if (!(Symbol.asyncIterator in output)) return [output];
	const records: Json[] = [];
	for await (const record of output as AsyncIterable<Json>) records.push(record);
	return records;
};

/** Runs one operation on one item. Made once per node run, so that credential and memory are read once. */
export const createItemRunner = (
	context: IExecuteFunctions,
	{ operation, pipeline, clock, transportAt, breaker, breathe, tally }: ItemRunnerOptions,
) => {
	const timeZone = context.getTimezone();
	/** One for each speed: items that differ in it are rare. */
	const services = new Map<number | undefined, Service>();
	const serviceFor = ({ requestsPerSecond }: { requestsPerSecond?: number }): Service => {
		const service =
			services.get(requestsPerSecond) ?? createService(transportAt(requestsPerSecond));
		services.set(requestsPerSecond, service);
		return service;
	};
	const perform = async (service: Service, input: Input, reference?: string): Promise<Json[]> =>
		await collect(await operation.run({ ...service, clock, timeZone, reference }, input));

	/** Sends without looking at what was sent before. */
	const request = async (input: Input, reference?: string): Promise<Json> => {
		const [answer = {}] = await perform(serviceFor(sendOptionsOf(input)), input, reference);
		// Items that are skipped say nothing about the service, so that only these end a row of unanswered ones.
		breaker.answered();
		return answer;
	};
	/** What a request would be. */
	const rehearse = async (input: Input): Promise<Json> => {
		const service = withoutWriting(
			serviceFor(sendOptionsOf(input)),
			async (delivery) => await checkDelivery(context, delivery),
		);
		const [answer = {}] = await perform(service, input);
		if (operation.sends) tally.request(operation.sends.to(input));
		return answer;
	};
	const dispatch: Dispatch = async ({ input, isDry, reference }) =>
		isDry ? await rehearse(input) : await request(input, reference);

	const once = memoizeAsync();
	/** A list is read once for all items that ask for the same; each gets records of its own. */
	const readShared = async (input: Input): Promise<Json[]> => {
		let isReader = false;
		const list = await once(JSON.stringify(input), async () => {
			isReader = true;
			return await perform(serviceFor({}), input);
		});
		return isReader ? list : list.map((record) => ({ ...record }));
	};
	const run = async (prepared: Prepared, given?: Dispatch): Promise<Json[]> => {
		await breathe();
		if ('error' in prepared) throw prepared.error;
		if (pipeline) return [await pipeline.send(prepared, given ?? dispatch)];
		const { input, options } = prepared;
		return operation.isListing
			? await readShared(input)
			: await perform(serviceFor(options), input);
	};
	/** Whether what one item failed with keeps the others from being done. */
	const stopsOthers = (error: unknown): boolean =>
		!(error instanceof NotStartedError) &&
		!operation.continueAfter?.some((code) => code === failureCodeOf(error));
	return {
		request,
		rehearse,
		breaker,
		/** `given` stands between the item and the service. */
		runItem: async (prepared: Prepared, given?: Dispatch): Promise<Json[]> =>
			await run(prepared, given).catch((error: unknown) => {
				if (pipeline?.isInDoubt(prepared.item)) breaker.unanswered();
				// What is only tried stops nothing.
				else if (!prepared.isDry && stopsOthers(error)) breaker.failed();
				throw error;
			}),
	};
};

export type ItemRunner = ReturnType<typeof createItemRunner>;
