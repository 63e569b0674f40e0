import type { IExecuteFunctions } from 'n8n-workflow';
import type { Input } from '../fields/field';
import type { Operation, Recipients } from '../fields/operation';
import type { SendOptions } from '../fields/sendOptions';
import type { Clock } from '../lib/async';
import type { Json } from '../lib/json';
import type { SmartEncoding } from '../lib/smartEncoding';
import type { MessageParts } from '../lib/smsParts';
import type { Skip } from './skips';

/** One item, from reading its fields to the outcome of its message. */
export type Attempt = {
	/** The item's index in the input. */
	item: number;
	input: Input;
	options: SendOptions;
	/** Whether this is a dry run, in which nothing may be sent. */
	isDry: boolean;
	/** Set if the operation sends messages. */
	to?: Recipients;
	/** Describes how the text is split into SMS parts. Set if the operation sends a text. */
	parts?: MessageParts;
	/** The changes made by Smart Encoding. */
	smartEncoding?: SmartEncoding;
	/** Why the item is skipped. Set if none of its recipients may get the message. */
	skip?: Skip;
	/** Identifies the item when Retry On Fail runs the node again. Undefined if n8n makes each retry a separate run. */
	itemKey?: string;
	/** Only one message may have this key: the Deduplication Key, or a key made of Campaign Name and the recipient. */
	key?: string;
	/** The key that this item holds, claimed in this attempt or an earlier one. */
	heldKey?: string;
	/** Why it is unknown whether an earlier attempt was accepted. Undefined if there was no such attempt. */
	unconfirmedReason?: unknown;
	/** Our own reference, used to find the message if its response is lost. */
	reference?: string;
};

/** An item whose fields were read. If it can't be sent, it has the error instead. */
export type Prepared = Attempt | { item: number; isDry: boolean; error: unknown };

/** Returns an item that is refused with an error before its first request. */
export function refused(
	{ item, isDry }: Pick<Prepared, 'item' | 'isDry'>,
	error: unknown,
): Prepared {
	return { item, isDry, error };
}

/** The results in the order of the items. Items that were never started have no entry. */
export type Results = Array<PromiseSettledResult<Json[]>>;

/** Makes the request and returns the response. */
export type Dispatch = (attempt: Attempt) => Promise<Json>;

/** The data of one run that all parts of the send pipeline share (see `pipeline.ts`). */
export type SendRun = {
	context: IExecuteFunctions;
	operation: Operation;
	/** When the execution is stopped, all waits on this clock reject with CancelledError. */
	clock: Clock;
};
