import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { NotBegunError } from '../api/errors';
import type { Json } from '../api/json';
import { createService, type Service } from '../api/service';
import type { TransportAt } from '../api/transport';
import type { Witness } from '../api/witness';
import type { Input } from '../fields/field';
import { sendOptionsOf } from '../fields/generalOptions';
import { withoutWriting, type Tally } from '../sending/dryRun';
import type { Guards } from '../sending/guards';
import { createDrySender, createItemSender, type Ask } from '../sending/itemSender';
import { createBrake } from './brake';
import type { Breathe } from './breather';
import { checkDelivery, createTransports } from './nodeTransport';
import { oncePerInput } from './oncePerInput';
import type { Operation, Output } from './operation';
import type { Prepared } from './readItems';
import { failureCodeOf } from './toNodeError';

/** Collected before anything is passed on: a failure on page 3 leaves no half list. */
const collect = async (output: Output): Promise<Json[]> => {
	if (Array.isArray(output)) return output;
	if (!(Symbol.asyncIterator in output)) return [output];
	const records: Json[] = [];
	for await (const record of output as AsyncIterable<Json>) records.push(record);
	return records;
};

/** What is only tried stops nothing. */
const isDry = ({ isDry = false }: Prepared): boolean => isDry;

/** Whether what one item failed with keeps the others from being done. */
const stopsOthers = ({ goesOnAfter = [] }: Operation, error: unknown): boolean =>
	!(error instanceof NotBegunError) && !goesOnAfter.some((code) => code === failureCodeOf(error));

/** One for each speed: items that differ in it are rare. With a witness, one of its own. */
const createServices = (transportAt: TransportAt) => {
	const services = new Map<number | undefined, Service>();
	return (input: Input, witness?: Witness): Service => {
		const { requestsPerSecond } = sendOptionsOf(input);
		if (witness) return createService(transportAt(requestsPerSecond, witness.watch));
		const service =
			services.get(requestsPerSecond) ?? createService(transportAt(requestsPerSecond));
		services.set(requestsPerSecond, service);
		return service;
	};
};

export type Running = {
	operation: Operation;
	/** Items that wait for their turn when another one fails make no request any more. */
	stopAtFailure: boolean;
	clock: Clock;
	/** One that a stopped execution does not stop: what was begun is tidied up all the same. */
	keptClock: Clock;
	breathe: Breathe;
	guards: Guards;
	tally: Tally;
};

type Sending = {
	/** Of ours, for the message. */
	reference?: string;
	witness?: Witness;
};

/** Runs one operation on one item. Made once per node run, so that credential and memory are read once. */
export const createItemRunner = (
	context: IExecuteFunctions,
	{ operation, stopAtFailure, clock, keptClock, breathe, guards, tally }: Running,
) => {
	const brake = createBrake(stopAtFailure);
	const { mayBegin } = brake;
	const transportsWhile = (mayBegin: () => boolean) =>
		createTransports(context, clock, { mayBegin });
	const serviceFor = createServices(transportsWhile(mayBegin));
	const rules = { operation, guards, tally };
	const sender = createItemSender(context, rules, { clock, keptClock, transportsWhile });
	const sendDry = createDrySender(context, rules);
	const timeZone = context.getTimezone();

	const perform = async (service: Service, input: Input, reference?: string): Promise<Json[]> => {
		const services = { ...service, clock, timeZone, reference };
		return await collect(await operation.run(services, input as never));
	};
	const readAll = async (input: Input): Promise<Json[]> => await perform(serviceFor(input), input);
	const read = operation.isListing ? oncePerInput(readAll) : readAll;

	const send = async (input: Input, { reference, witness }: Sending = {}): Promise<Json> => {
		const [answer = {}] = await perform(serviceFor(input, witness), input, reference);
		// Items that are skipped say nothing about the service, so that only these end a row of unanswered ones.
		brake.answered();
		return answer;
	};
	const ask: Ask = async (input, witness) => await send(input, { witness });
	const tryOut = async (input: Input): Promise<Json> => {
		const service = withoutWriting(
			serviceFor(input),
			async (request) => await checkDelivery(context, request),
		);
		const [answer = {}] = await perform(service, input);
		if (operation.sends) tally.request(operation.sends.to(input as never));
		return answer;
	};

	const run = async (prepared: Prepared, item: number, given?: Ask): Promise<Json[]> => {
		await breathe();
		if ('error' in prepared) throw prepared.error;
		if (!operation.sends && !operation.once) return await read(prepared.input);
		if (prepared.isDry) return [await sendDry(prepared, item, given ?? tryOut)];
		return [await sender.send(prepared, item, given ?? ask)];
	};
	return {
		/** Sends without looking at what was sent before. */
		send,
		/** What a request would be, in a dry run. */
		tryOut,
		mayBegin,
		/** Of a request of several items, which can be done all the same. */
		failed: brake.failed,
		/** `given` stands between the item and the service. */
		runItem: async (prepared: Prepared, item: number, given?: Ask): Promise<Json[]> =>
			await run(prepared, item, given).catch((error: unknown) => {
				if (sender.isPutAside(item)) brake.unanswered();
				else if (!isDry(prepared) && stopsOthers(operation, error)) brake.failed();
				throw error;
			}),
		/** Looks for the messages of unknown outcome, and says what the items came to that had one. */
		lookUp: async (): Promise<Map<number, Json>> => {
			const { answers, missing } = await sender.lookUp();
			if (missing > 0) brake.failed();
			else brake.answered();
			return answers;
		},
		/** Whether a re-run leaves alone what was accepted. */
		remembersAnswers: sender.hasBegun,
	};
};

export type ItemRunner = ReturnType<typeof createItemRunner>;
