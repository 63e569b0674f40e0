import type { IExecuteFunctions } from 'n8n-workflow';
import type { FailureCode } from '../api/failureCodes';
import type { TransportAt } from '../api/transport';
import type { Input } from '../fields/field';
import type { SendOptions } from '../fields/sendOptions';
import type { Clock } from '../lib/async';
import type { Json } from '../lib/json';
import type { SmartEncoding } from '../lib/smartEncoding';
import type { MessageParts } from '../lib/smsParts';
import type { Operation, Recipients } from '../fields/operation';

/** One item on its way from its fields to its outcome. */
export type Attempt = {
	/** Index of the item in the input. */
	item: number;
	input: Input;
	options: SendOptions;
	/** Whether nothing may be sent. */
	isDry: boolean;
	/** Only of an operation that sends. */
	to?: Recipients;
	/** Only of an operation that sends a text. */
	parts?: MessageParts;
	/** What Smart Encoding changed. */
	smartEncoding?: SmartEncoding;

	// What the stages add:
	/** Identifies the item when Retry On Fail runs the node again. None where a retry is a run of its own. */
	itemKey?: string;
	/** The Deduplication Key that this item holds, claimed now or by an earlier try. */
	heldKey?: string;
	/** Whether the outcome of an earlier try is unknown. */
	mayHaveBeenSent?: boolean;
	/** Generated, to find the message if its answer is lost. */
	reference?: string;
};

/** An item after its fields were read; one that cannot be sent carries its error. */
export type Prepared = Attempt | { item: number; isDry: boolean; error: unknown };

/** In the order of the items, with holes for items that were never started. */
export type Results = Array<PromiseSettledResult<Json[]>>;

/** Calls `next` to continue. What it takes before, it gives back if the message was certainly not sent. */
export type Stage = (attempt: Attempt, next: () => Promise<Json>) => Promise<Json>;

/** Makes the request, and returns its answer. */
export type Dispatch = (attempt: Attempt) => Promise<Json>;

/** What the stages of one run share. */
export type Run = {
	context: IExecuteFunctions;
	operation: Operation;
	/** @throws NotTriedError the account was refused, so that further requests are of no use */
	requireAccount: () => void;
	failureCodeOf: (error: unknown) => FailureCode;
	/** Stops with the execution. */
	clock: Clock;
	/** Never stops: keys and counts are given back even after Stop. */
	cleanupClock: Clock;
	/** `canStart` is asked before each request. */
	openTransports: (canStart: () => boolean) => TransportAt;
};
