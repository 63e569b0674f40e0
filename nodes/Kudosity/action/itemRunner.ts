import type { IExecuteFunctions } from 'n8n-workflow';
import { isRefusedOnTheWay, NotStartedError, NotTriedError } from '../api/errors';
import { accountCodes } from '../api/failureCodes';
import { createService, type Service } from '../api/service';
import type { TransportAt } from '../api/transport';
import type { Input } from '../fields/field';
import { sendOptionsOf } from '../fields/sendOptions';
import { type Clock, memoizeAsync, onFailure, toArray } from '../lib/async';
import type { Json } from '../lib/json';
import type { Operation, Output } from '../fields/operation';
import { isTool } from '../send/agentTool';
import type { Dispatch, Prepared } from '../send/attempt';
import { type Tally, withoutWriting } from '../send/dryRun';
import type { Pipeline } from '../send/pipeline';
import type { YieldIfDue } from '../n8n/clock';
import { receiverOf } from '../n8n/credentials';
import { failureCodeOf } from '../api/failureCodeOf';
import { checkDelivery } from '../n8n/transport';

export const isNotStarted = (result: PromiseSettledResult<unknown> | undefined): boolean =>
	result === undefined ||
	(result.status === 'rejected' && result.reason instanceof NotStartedError);

/** Sends in a row without an answer: then the service is in trouble. */
const maxUnanswered = 10;

/** Requests in a row that are refused because of the account, or on the way to it: then every other would be. */
const maxAccountRefusals = 2;

/** Whether every other request would be refused, too, by the account or by something in between. */
const concernsAll = (error: unknown): boolean =>
	accountCodes.includes(failureCodeOf(error)) || isRefusedOnTheWay(error);

/**
 * Closed while another item may start. If the node stops at a failure, none starts after one, nor while the service is
 * in trouble. If the node continues, all items start, but none makes a request once the account is refused.
 */
export const createCircuitBreaker = (stopAtFailure: boolean) => {
	let hasFailed = false;
	let unanswered = 0;
	let accountRefusals: unknown[] = [];
	const isClosed = (): boolean => !stopAtFailure || (!hasFailed && unanswered < maxUnanswered);
	const isAccountRefused = (): boolean =>
		!stopAtFailure && accountRefusals.length >= maxAccountRefusals;
	return {
		isClosed,
		mayRequest: (): boolean => isClosed() && !isAccountRefused(),
		/** @throws NotTriedError */
		requireAccount: (): void => {
			if (isAccountRefused()) throw new NotTriedError(accountRefusals[0]);
		},
		/** Notes how a request failed. @returns the error, or why the request was not tried */
		refused: (error: unknown): unknown => {
			if (isAccountRefused()) {
				return error instanceof NotStartedError ? new NotTriedError(accountRefusals[0]) : error;
			}
			accountRefusals = concernsAll(error) ? [...accountRefusals, error] : [];
			return error;
		},
		failed: () => void (hasFailed = true),
		unanswered: () => void unanswered++,
		answered: () => {
			unanswered = 0;
			if (!isAccountRefused()) accountRefusals = [];
		},
	};
};

type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

type Options = {
	operation: Extract<Operation, { annotator?: undefined }>;
	/** Only of an operation that must not be done twice. */
	pipeline: Pipeline | undefined;
	clock: Clock;
	transportAt: TransportAt;
	breaker: CircuitBreaker;
	yieldIfDue: YieldIfDue;
	/** Of a dry run. */
	countRequest: Tally['request'];
};

/** Collects a list before any of it is passed on: a failure on page 3 leaves no partial list. */
const collect = async (output: Output): Promise<Json[]> => {
	if (Array.isArray(output)) return output;
	if (!(Symbol.asyncIterator in output)) return [output];
	return await toArray(output as AsyncIterable<Json>);
};

/** Runs the operation for one item at a time. One for each node run, so that the credential is read once. */
export const createItemRunner = (
	context: IExecuteFunctions,
	{ operation, pipeline, clock, transportAt, breaker, yieldIfDue, countRequest }: Options,
) => {
	const common = {
		clock,
		timeZone: context.getTimezone(),
		receiver: () => receiverOf(context),
		hint: (message: string) => {
			if (!isTool(context)) context.addExecutionHints({ message, location: 'outputPane' });
		},
	};
	/** By requests per second, which rarely differs between items. */
	const services = new Map<number | undefined, Service>();
	const serviceFor = ({ requestsPerSecond }: { requestsPerSecond?: number }): Service => {
		const service =
			services.get(requestsPerSecond) ?? createService(transportAt(requestsPerSecond));
		services.set(requestsPerSecond, service);
		return service;
	};
	const perform = async (service: Service, input: Input, reference?: string): Promise<Json[]> =>
		await collect(await operation.run({ ...service, ...common, reference }, input));

	const request = async (input: Input, reference?: string): Promise<Json> => {
		const service = serviceFor(sendOptionsOf(input));
		const [answer = {}] = await perform(service, input, reference).catch((error: unknown) => {
			throw breaker.refused(error);
		});
		// Here and not when the item is done, since a skipped item says nothing about the service.
		breaker.answered();
		return answer;
	};
	const rehearse = async (input: Input): Promise<Json> => {
		const service = withoutWriting(
			serviceFor(sendOptionsOf(input)),
			async (delivery) => await checkDelivery(context, delivery),
		);
		const [answer = {}] = await perform(service, input);
		if (operation.sends) countRequest(operation.sends.to(input));
		return answer;
	};
	const dispatchOne: Dispatch = async ({ input, isDry, reference }) =>
		isDry ? await rehearse(input) : await request(input, reference);

	const once = memoizeAsync();
	/** Reads a list once for all items that ask for the same; each gets copies of the records. */
	const readShared = async (input: Input): Promise<Json[]> => {
		let isReader = false;
		const list = await once(JSON.stringify(input), async () => {
			isReader = true;
			return await perform(serviceFor({}), input);
		});
		return isReader ? list : list.map((record) => ({ ...record }));
	};
	const run = async (prepared: Prepared, dispatch: Dispatch): Promise<Json[]> => {
		await yieldIfDue();
		if ('error' in prepared) throw prepared.error;
		if (pipeline) return [await pipeline.send(prepared, dispatch)];
		const { input, options } = prepared;
		return operation.isListing
			? await readShared(input)
			: await perform(serviceFor(options), input);
	};
	/** Whether no other item may start after this error. */
	const stopsOthers = (error: unknown): boolean =>
		!(error instanceof NotStartedError) &&
		!operation.continueAfter?.some((code) => code === failureCodeOf(error));
	return {
		request,
		rehearse,
		breaker,
		/** A batch or a question brings its own `dispatch`, which ends in `request` or `rehearse`. */
		runItem: async (prepared: Prepared, dispatch = dispatchOne): Promise<Json[]> =>
			await onFailure(run(prepared, dispatch), (error) => {
				if (pipeline?.isInDoubt(prepared.item)) breaker.unanswered();
				else if (!prepared.isDry && stopsOthers(error)) breaker.failed();
			}),
	};
};

export type ItemRunner = ReturnType<typeof createItemRunner>;
