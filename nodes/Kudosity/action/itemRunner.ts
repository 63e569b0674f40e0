import type { IExecuteFunctions } from 'n8n-workflow';
import { isOfItem, NotStartedError, OutcomeUnknownError } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { createService, type Service } from '../api/service';
import type { TransportAt } from '../api/transport';
import type { Input } from '../fields/field';
import { sendOptionsOf } from '../fields/sendOptions';
import { type Clock, memoizeAsync, onFailure, toArray } from '../lib/async';
import type { Json } from '../lib/json';
import type { Operation, Output } from '../fields/operation';
import type { Dispatch, Prepared } from '../send/attempt';
import type { CircuitBreaker } from '../send/circuitBreaker';
import { type Tally, withoutWriting } from '../send/dryRun';
import type { Pipeline } from '../send/pipeline';
import { checkSendingHours } from '../send/sendingHours';
import type { YieldIfDue } from '../n8n/clock';
import { receiverOf } from '../n8n/credentials';
import { hostOf } from '../n8n/host';
import { checkDelivery } from '../n8n/transport';

type Options = {
	operation: Extract<Operation, { annotator?: undefined }>;
	/** Set if the operation must not be done twice. */
	pipeline: Pipeline | undefined;
	clock: Clock;
	transportAt: TransportAt;
	breaker: CircuitBreaker;
	yieldIfDue: YieldIfDue;
	/** Counts a simulated request of a dry run. */
	countRequest: Tally['request'];
};

/** Collects a complete list before any of it is output, so a failure on page 3 doesn't leave a partial list. */
async function collect(output: Output): Promise<Json[]> {
	if (Array.isArray(output)) return output;
	if (!(Symbol.asyncIterator in output)) return [output];
	return await toArray(output as AsyncIterable<Json>);
}

/**
 * Creates the runner of an operation, which runs one item at a time. Each run of the node has one runner, so the
 * credential is only read once.
 */
export function createItemRunner(
	context: IExecuteFunctions,
	{ operation, pipeline, clock, transportAt, breaker, yieldIfDue, countRequest }: Options,
) {
	const common = {
		clock,
		timeZone: context.getTimezone(),
		receiver: () => receiverOf(context),
		hint: (message: string) => {
			if (!hostOf(context).isTool) context.addExecutionHints({ message, location: 'outputPane' });
		},
	};
	/** Cached services, keyed by the options that affect requests. Items rarely differ in these options. */
	const services = new Map<string, Service>();
	const serviceFor = (input: Input): Service => {
		const { requestsPerSecond, sendingHours } = sendOptionsOf(input);
		const name = JSON.stringify([
			requestsPerSecond,
			sendingHours,
			operation.sends?.sendAt?.(input),
		]);
		const requireTime = () => checkSendingHours(operation, input, clock.calendarNow());
		const service =
			services.get(name) ??
			createService(transportAt(requestsPerSecond, sendingHours && requireTime));
		services.set(name, service);
		return service;
	};
	const perform = async (service: Service, input: Input, reference?: string): Promise<Json[]> =>
		await collect(await operation.run({ ...service, ...common, reference }, input));

	const request = async (input: Input, reference?: string): Promise<Json> => {
		const service = serviceFor(input);
		const [answer = {}] = await perform(service, input, reference).catch((error: unknown) => {
			throw breaker.refused(error);
		});
		// This is recorded here rather than at the end of the item, because a skipped item says nothing about the
		// service.
		breaker.answered();
		return answer;
	};
	const simulate = async (input: Input): Promise<Json> => {
		const service = withoutWriting(
			serviceFor(input),
			async (delivery) => await checkDelivery(context, delivery),
		);
		const [answer = {}] = await perform(service, input);
		if (operation.sends) countRequest(operation.sends.to(input));
		return answer;
	};
	const dispatchOne: Dispatch = async ({ input, isDry, reference }) =>
		isDry ? await simulate(input) : await request(input, reference);

	const once = memoizeAsync();
	/** Reads a list only once for all items with the same input. The other items get copies of the records. */
	const readShared = async (input: Input): Promise<Json[]> => {
		let isReader = false;
		const list = await once(JSON.stringify(input), async () => {
			isReader = true;
			return await perform(serviceFor(input), input);
		});
		return isReader ? list : list.map((record) => ({ ...record }));
	};
	const run = async (prepared: Prepared, dispatch: Dispatch): Promise<Json[]> => {
		await yieldIfDue();
		if ('error' in prepared) throw prepared.error;
		if (pipeline) return [await pipeline.send(prepared, dispatch)];
		const { input } = prepared;
		return operation.isListing ? await readShared(input) : await perform(serviceFor(input), input);
	};
	/** Whether an error keeps other items from starting. A limit that one person has reached doesn't. */
	const stopsOthers = (error: unknown): boolean =>
		!(error instanceof NotStartedError) &&
		!isOfItem(error) &&
		!operation.continueAfter?.some((code) => code === failureCodeOf(error));
	return {
		request,
		simulate,
		breaker,
		/**
		 * Runs one item. Questions and contact lists have their own `dispatch`, which in the end calls `request` or
		 * `simulate`.
		 */
		runItem: async (prepared: Prepared, dispatch = dispatchOne): Promise<Json[]> =>
			await onFailure(run(prepared, dispatch), (error) => {
				const isUnconfirmed = pipeline?.isUnconfirmed(prepared.item);
				if (isUnconfirmed || error instanceof OutcomeUnknownError) breaker.unanswered();
				if (!isUnconfirmed && !prepared.isDry && stopsOthers(error)) breaker.failed();
			}),
	};
}

export type ItemRunner = ReturnType<typeof createItemRunner>;
