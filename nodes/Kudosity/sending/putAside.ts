import { randomUUID } from 'crypto';
import type { Clock } from '../api/clock';
import { OutcomeUnknownError } from '../api/errors';
import type { Json } from '../api/json';
import { createWitness, type Witness } from '../api/witness';
import type { Input } from '../fields/field';
import { sendOptionsOf } from '../fields/generalOptions';
import type { LookUp } from './lookUp';

/** A send, from its beginning until its outcome is known. */
export type Try = {
	/** With a reference, by which the message can be found. */
	input: Input;
	isOwnReference: boolean;
	/** Of when the request was under way. */
	witness: Witness;
	/** Takes what the service says of the message as the answer, and gives what the item comes to. */
	settle: (record: Json) => Json;
};

/** The sends of a node run whose outcome is not known yet, or may never be. */
export const createPutAside = (lookUp: LookUp<Input> | undefined, clock: Pick<Clock, 'now'>) => {
	const tries = new Map<number, Try>();
	return {
		/** None where the operation has no way to look a message up, or the user does not want it. */
		begin: (item: number, input: Input, settle: Try['settle']): Try | undefined => {
			if (!lookUp || sendOptionsOf(input).lookUpUnknown === false) return undefined;
			const own = `n8n-${randomUUID()}`;
			const referred = lookUp.refer(input, own);
			const isOwnReference = lookUp.describe(referred).reference === own;
			const begun = { input: referred, isOwnReference, witness: createWitness(clock.now), settle };
			tries.set(item, begun);
			return begun;
		},
		/** Keeps the try whose outcome is unknown, and forgets any other, as one that was refused. */
		ended: (item: number, result: PromiseSettledResult<unknown>): void => {
			const reason = result.status === 'rejected' ? (result.reason as unknown) : undefined;
			const isUnknown = reason instanceof OutcomeUnknownError && reason.refusal === undefined;
			if (!isUnknown) tries.delete(item);
		},
		has: (item: number): boolean => tries.has(item),
		/** All that were kept; they are not kept any longer. */
		take: (): Array<[number, Try]> => {
			const all = [...tries];
			tries.clear();
			return all;
		},
	};
};
