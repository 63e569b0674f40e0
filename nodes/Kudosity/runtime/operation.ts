import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { Client } from '../api/client';
import type { Clock } from '../api/clock';

/** A JSON object, as the service's schemas let it through. */
export type Json = Record<string, unknown>;

/** What an operation works with. Nothing here is specific to n8n. */
export type Services = {
	client: Client;
	clock: Clock;
	/** The workflow's, in which dates without a zone count, e.g. Australia/Sydney. */
	timeZone: string;
	/** Sends once: remembers what was accepted while this execution runs. See `sending.ts`. */
	sendOnce: SendOnce;
};

/**
 * Runs `send`, unless a former run of this item in this execution was accepted: then answers as it did,
 * whatever the request reads by now. Its key or an unknown outcome can forbid the send as well, see ADR 6.
 */
export type SendOnce = (
	attempt: { options: SendOptions; request: unknown },
	send: () => Promise<Json>,
) => Promise<Json>;

/** The options of every operation that sends. */
export type SendOptions = {
	sendOnceKey?: string;
	repeatUnknown?: boolean;
};

/** One record, several, or a stream of them; each becomes an item. */
export type Output = Json | Json[] | AsyncIterable<Json>;

export type Operation<Input extends z.ZodObject = z.ZodObject> = {
	/** Stored in saved workflows: never rename. */
	value: string;
	/** Shown in the drop-down. */
	name: string;
	/** Shown in the node panel's list of actions, in sentence case. */
	action: string;
	description: string;
	/** The fields in the order of the panel; `displayOptions` for resource and operation are added. */
	properties: INodeProperties[];
	/** Checks and converts the fields' values; has one key for each property. */
	input: Input;
	run(services: Services, input: z.output<Input>): Output | Promise<Output>;
};

/** Lets TypeScript infer `input` from the schema. */
export const defineOperation = <Input extends z.ZodObject>(
	operation: Operation<Input>,
): Operation => operation as unknown as Operation;

export type Resource = {
	/** Stored in saved workflows: never rename. */
	value: string;
	name: string;
	operations: [Operation, ...Operation[]];
};
