import type { Clock } from '../api/clock';
import type { Json } from '../api/json';
import type { TransportAt } from '../api/transport';
import type { Sighting } from '../api/witness';
import type { Input } from '../fields/field';
import type { LookUp } from './lookUp';
import { lookAgain } from './lookAgain';
import { lookUpSent } from './lookUpSent';
import type { Try } from './putAside';

type Looking = {
	lookUp: LookUp<Input>;
	clock: Clock;
	answeredIds: () => Set<unknown>;
	transportsWhile: (mayBegin: () => boolean) => TransportAt;
};

/** Looks for what is in doubt, in all for as long as a message can be missing, however often it is called. */
export const createLookUps = ({ lookUp, clock, answeredIds, transportsWhile }: Looking) => {
	let leftMs = lookUp.longestMissingMs;

	/** @returns what each of those came to that were found, by their item */
	return async (doubts: Array<[number, Try]>): Promise<Map<number, Json>> => {
		const answers = new Map<number, Json>();
		const taken = answeredIds();
		const endsAtMs = clock.now() + leftMs;
		const mayBegin = () => clock.now() < endsAtMs;
		let first: Sighting | undefined;
		const searching = {
			lookUp,
			clock,
			transportAt: transportsWhile(mayBegin),
			isTaken: (id: string) => taken.has(id),
			firstHeard: (heard: Array<Sighting | undefined>) =>
				(first ??= heard.find((each) => each?.serviceMs !== undefined)),
		};
		const look = async (open: Array<[number, Try]>) => {
			const found = await lookUpSent(
				open.map(([, sent]) => sent),
				searching,
			);
			if (!mayBegin()) return open;
			open.forEach(([item, { settle }], index) => {
				const message = found[index];
				if (!message) return;
				taken.add(message.id);
				answers.set(item, settle(message.answer));
			});
			return open.filter(([item]) => !answers.has(item));
		};
		// What a look cannot tell stays unknown: that the user stopped the run, or that the key may not read.
		await lookAgain(doubts, { look, clock, endsAtMs }).catch(() => undefined);
		leftMs = Math.max(0, endsAtMs - clock.now());
		return answers;
	};
};
