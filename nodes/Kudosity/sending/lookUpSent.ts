import type { Clock } from '../api/clock';
import { mapConcurrently } from '../api/mapConcurrently';
import { mayPass } from '../api/mayPass';
import { createService } from '../api/service';
import type { Transport, TransportAt } from '../api/transport';
import { createWitness, spanByService, type Sighting } from '../api/witness';
import type { Input } from '../fields/field';
import { sendOptionsOf } from '../fields/generalOptions';
import type { LookUp } from './lookUp';
import { matchSent, type Found } from './matchSent';
import type { Try } from './putAside';

/** Few enough to leave the line to other runs. */
const mostInFlight = 5;

type Searching = {
	lookUp: LookUp<Input>;
	clock: Clock;
	transportAt: TransportAt;
	/** Whether a message was the answer to another item. */
	isTaken: (id: string) => boolean;
	/** The first of all looks that told the service's time: the sooner after the send, the surer. */
	firstHeard: (heard: Array<Sighting | undefined>) => Sighting | undefined;
};

type Seen = { found: Found[]; heard: Sighting | undefined };

/** The next look repeats it: what fails is not worth a pause of its own. */
const withoutRepeats =
	(transport: Transport): Transport =>
	async (request) =>
		await transport({ ...request, repeatable: false });

const createSeek =
	({ lookUp, clock, transportAt }: Searching) =>
	async ({ input }: Try): Promise<Seen> => {
		const witness = createWitness(clock.now);
		const transport = transportAt(sendOptionsOf(input).requestsPerSecond, witness.watch);
		const service = createService(withoutRepeats(transport));
		const found: Found[] = [];
		for await (const message of lookUp.search(service, input)) if (message) found.push(message);
		return { found, heard: witness.latest() };
	};

/** Asks for each; while the service does not answer, for the first one only. */
const seekAll = async (tries: Try[], seek: (sent: Try) => Promise<Seen>): Promise<Seen[]> => {
	const first = await mapConcurrently(tries.slice(0, 1), seek, {
		mostInFlight,
		stopAtFailure: true,
	});
	const isAnswered = first.every(({ status }) => status === 'fulfilled');
	const others = await mapConcurrently(isAnswered ? tries.slice(1) : [], seek, {
		mostInFlight,
		stopAtFailure: true,
	});
	// Those that never began are holes, which this passes over.
	return first.concat(others).flatMap((result) => {
		if (result.status === 'fulfilled') return [result.value];
		if (mayPass(result.reason)) return [];
		throw result.reason;
	});
};

/**
 * One look for all that are in doubt.
 *
 * @returns the message of each that was found
 * @throws what forbids to look again, as a key that may not read
 */
export const lookUpSent = async (
	tries: Try[],
	searching: Searching,
): Promise<Array<Found | undefined>> => {
	const seen = await seekAll(tries, createSeek(searching));
	const heard = searching.firstHeard(seen.map((each) => each.heard));
	const sought = tries.map(({ input, isOwnReference, witness }) => {
		const sent = witness.latest();
		const span = spanByService(sent, sent) ?? spanByService(sent, heard);
		return { ...searching.lookUp.describe(input), isOwnReference, span };
	});
	const found = seen.flatMap((each) => each.found);
	return matchSent(sought, found, searching.isTaken);
};
