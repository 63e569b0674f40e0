import type { IExecuteFunctions } from 'n8n-workflow';
import type { Input } from '../fields/field';
import type { Operation, Recipients } from '../fields/operation';
import type { SendOptions } from '../fields/sendOptions';
import type { Clock } from '../lib/async';
import type { Json } from '../lib/json';
import type { SmartEncoding } from '../lib/smartEncoding';
import type { MessageParts } from '../lib/smsParts';
import type { Skip } from './skips';

/** One item on its way from its fields to its outcome. */
export type Attempt = {
	/** Index of the item in the input. */
	item: number;
	input: Input;
	options: SendOptions;
	/** Whether nothing may be sent. */
	isDry: boolean;
	/** Present if the operation sends. */
	to?: Recipients;
	/** Present if the operation sends a text. */
	parts?: MessageParts;
	/** The changes that Smart Encoding has made. */
	smartEncoding?: SmartEncoding;
	/** Why the item is skipped: none of its recipients may get the message. */
	skip?: Skip;
	/** Identifies the item when Retry On Fail runs the node again. Undefined where a retry is a separate run. */
	itemKey?: string;
	/**
	 * A key that no second message may have: the Deduplication Key, or one made of the Campaign Name and the recipient.
	 */
	key?: string;
	/** The key that this item holds, claimed now or by an earlier try. */
	heldKey?: string;
	/** Why it is unknown whether an earlier try was accepted, if there was one. */
	unconfirmedReason?: unknown;
	/** Our own reference, to find the message if its answer is lost. */
	reference?: string;
};

/** An item after its fields were read; one that cannot be sent carries its error. */
export type Prepared = Attempt | { item: number; isDry: boolean; error: unknown };

/** Marks an item as held back by an error before the first request. */
export function refused(
	{ item, isDry }: Pick<Prepared, 'item' | 'isDry'>,
	error: unknown,
): Prepared {
	return { item, isDry, error };
}

/** The results in the order of the items, with holes for items that were never started. */
export type Results = Array<PromiseSettledResult<Json[]>>;

/** Makes the request, and returns its answer. */
export type Dispatch = (attempt: Attempt) => Promise<Json>;

/** The data that the guards of one run share. */
export type SendRun = {
	context: IExecuteFunctions;
	operation: Operation;
	/** This clock stops with the execution. */
	clock: Clock;
};
