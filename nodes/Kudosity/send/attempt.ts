import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../lib/async';
import type { TransportAt } from '../api/transport';
import type { Input } from '../fields/field';
import type { SendOptions } from '../fields/sendOptions';
import type { Json } from '../lib/json';
import type { MessageParts } from '../lib/smsParts';
import type { Operation, Recipients } from '../operation';

/** One item on its way from its fields to its outcome. */
export type Attempt = {
	/** The place of its item in the input. */
	item: number;
	input: Input;
	options: SendOptions;
	/** Whether nothing is to be sent. */
	isDry: boolean;
	/** Of an operation that sends. */
	to?: Recipients;
	/** Of an operation that sends a text. */
	parts?: MessageParts;
	/** By which Retry On Fail's second try of the item is recognised; none where a retry is a run of its own. */
	itemKey?: string;
	/** Of ours, by which the message is found where its answer is lost. */
	reference?: string;
	/** The Send Once Key that this item has taken, or that an earlier try of it has. */
	heldKey?: string;
	/** Whether an earlier try of it may have been sent. */
	isInDoubt?: boolean;
};

/** An item as it was read: whatever is wrong with it is its result. */
export type Prepared = Attempt | { item: number; error: unknown; isDry: boolean };

/** Goes on with the send; what a stage took for it, it gives back where the outcome says so. */
export type Stage = (attempt: Attempt, next: () => Promise<Json>) => Promise<Json>;

/** What ends in the request of an item. */
export type Dispatch = (attempt: Attempt) => Promise<Json>;

/** What the stages of one run share. */
export type Run = {
	context: IExecuteFunctions;
	operation: Operation;
	/** Ends with the execution. */
	clock: Clock;
	/** Does not: what was taken is given back also after Stop. */
	cleanupClock: Clock;
	transportsWhile: (mayBegin: () => boolean) => TransportAt;
};
