import type { Clock } from './clock';

/** Somebody who waits for a turn. */
type Turn = {
	clock: Clock;
	/** Ahead of all who do not, whoever came first. */
	goesFirst: boolean;
	/** Asked again after each wait: who may not begin any more leaves the line. */
	mayBegin: () => boolean;
};

type Place = Turn & { lookAgain: () => void };

/**
 * A line in which one at a time may start, first come first served. Who is next waits until `startsAtMs`, by
 * a clock of its own: a line has none, so it ends with those who stand in it.
 */
export const createSharedLine = (startsAtMs: () => number) => {
	let places: Place[] = [];
	const next = () => places.find(({ goesFirst }) => goesFirst) ?? places[0];

	const waitFor = async (place: Place): Promise<boolean> => {
		while (place.mayBegin()) {
			const waitMs = startsAtMs() - place.clock.now();
			if (next() !== place) {
				const turn = new Promise<void>((resolve) => (place.lookAgain = resolve));
				await place.clock.unlessCancelled(turn);
			} else if (waitMs > 0) {
				// Meanwhile a pause can begin, or somebody come who goes first.
				await place.clock.sleep(waitMs);
			} else return true;
		}
		return false;
	};

	/**
	 * Waits for the turn, and calls `start` at it, before anybody else can have one.
	 *
	 * @throws CancelledError when the execution was stopped
	 */
	return async (turn: Turn, start: () => void): Promise<void> => {
		const place: Place = { ...turn, lookAgain: () => undefined };
		places.push(place);
		try {
			if (await waitFor(place)) start();
		} finally {
			places = places.filter((other) => other !== place);
			next()?.lookAgain();
		}
	};
};
