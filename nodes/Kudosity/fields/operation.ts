import type { INodeProperties } from 'n8n-workflow';
import type { Connection } from '../api/transport';
import type { Json } from '../lib/json';
import type { Service, TimedService } from '../api/service';
import type { Notice } from '../api/endpoints/sms';
import type { EventType } from '../api/endpoints/webhook';
import type { Field, Input, InputOf } from './field';
import { withGeneralOptions } from './sendOptions';
import type { Parties } from './question';
import type { FailureCode, SkipCode } from '../api/failureCodes';

/** The tools that an operation works with. None of them is specific to n8n. */
export type Services = TimedService & {
	/** The workflow's time zone, for dates without one, e.g. Australia/Sydney. */
	timeZone: string;
	/**
	 * Our own reference for finding the message again. It is sent with the message, unless the user gave a reference.
	 */
	reference?: string;
	/** Returns the base URL of this n8n instance's webhooks, and whether the service can reach it. */
	receiver(): Promise<{ url: string; isReachable: boolean }>;
	/** Shows the user a hint about the output. */
	hint(text: string): void;
};

/** The output of an operation. Each record becomes an item. */
export type Output = Json | Json[] | AsyncIterable<Json>;

/** Phone numbers in E.164 digits, or all contacts of a list. */
export type Recipients = { numbers: string[] } | { listId: string };

/** Describes how to find a message whose response was lost. */
export type LookUp<Input> = {
	/** The maximum time until the service finds a message that it has accepted. */
	maxMissingMs: number;
	/**
	 * Whether the user gave the message a reference. Other messages may have the same one, so it doesn't identify the
	 * message.
	 */
	hasOwnReference(input: Input): boolean;
	/** Finds the message with our reference. Returns undefined if the service has none. */
	find(service: Service, message: { input: Input; reference: string }): Promise<Json | undefined>;
};

/**
 * Declares that an operation sends messages, which costs money and can't be undone. The operation then gets the general
 * send options and limits (`sendOptions.ts`), and runs through the send pipeline (`send/pipeline.ts`).
 */
export type Sends<Input> = {
	to: (input: Input) => Recipients;
	/** The text, if the channel bills it in parts. */
	text?: (input: Input) => string | undefined;
	/** The text of the SMS that is sent if the message isn't delivered. It is also billed in parts. */
	fallback?: (input: Input) => string | undefined;
	lookUp?: LookUp<Input>;
	/** When the message is sent, in milliseconds since the epoch. Undefined means right away. */
	sendAt?: (input: Input) => number | undefined;
	/** The response fields that agents get, if the response isn't about one message to one recipient. */
	agentFields?: readonly string[];
};

/**
 * Declares that an operation waits for the recipient's reply. The node then creates a webhook for the reply, suspends
 * the execution, and outputs the reply (see `question/ask.ts`).
 */
export type Asks<Input> = {
	/** The types of events that bring a reply or an opt-out. */
	events: EventType[];
	parties: (input: Input) => Parties;
	/** Sends the Unexpected Reply Message to the person who was asked. */
	notify: (service: Service, notice: Notice) => Promise<Json>;
};

/**
 * Declares that an operation combines items: one message goes to the recipients of many items, in as few requests as
 * possible.
 */
export type Batch<Input> = {
	/**
	 * Creates a function that is called for each item in turn. If a value (such as Send At) differs only slightly from
	 * an earlier item's, so both mean the same, the function replaces it with the earlier item's value.
	 */
	createAligner(): (input: Input) => Input;
	/** Removes the recipients. All items of the message must have the same remaining values. */
	withoutRecipients(input: Input): Input;
	/** Returns requests that together reach all recipients, with each number only once. */
	requestsFor(inputs: Input[]): Input[];
	/**
	 * Creates a function that returns one item's outcome from the requests' results. If none of the item's numbers was
	 * accepted, the function throws the item's failure.
	 */
	reader(
		requests: Input[],
		results: Array<PromiseSettledResult<Json>>,
		isDry: boolean,
	): (input: Input) => Json;
	/**
	 * Shapes the output of an item that sends to a contact list, which takes a request of its own. `place` is the
	 * request's position among all requests, and is only given in a dry run.
	 */
	toListOutput(input: Input, answer: Json, place?: { number: number; requests: number }): Json;
	/** Shapes the output of an item that sends the same message to the same list as an earlier item of the run. */
	toRepeatedOutput(output: Json): Json;
	/**
	 * Removes numbers that get no message. The item's output lists these numbers with their codes, i.e. the reasons.
	 */
	leaveOut(input: Input, codes: Map<string, SkipCode>): Input;
	/** Returns the item's numbers that certainly got no message. */
	notSentOf(output: Json): Set<string>;
	/** Whether the service didn't confirm the message to at least one of the item's numbers. */
	isUnconfirmed(output: Json): boolean;
};

/** A value that is added to an item, and the path of its field. */
export type Annotation = { path: string[]; value: Json };

/** What an operation does: it either calls the service or only inspects its items. */
type Work<Input> =
	| {
			run(services: Services, input: Input): Output | Promise<Output>;
			annotator?: undefined;
	  }
	| {
			/**
			 * Creates the function that inspects the items in order. Each run of the node creates a new one. The
			 * function makes no requests and needs no credential.
			 */
			annotator(): (input: Input) => Annotation;
			run?: undefined;
	  };

type OperationOptions<Fields extends readonly Field[]> = {
	/** Stored in saved workflows, so never rename it. */
	value: string;
	/** Shown in the drop-down. */
	name: string;
	/** Shown in the node panel's list of actions, in sentence case. */
	action: string;
	description: string;
	/** The fields in the order of the panel. */
	fields: Fields;
	/**
	 * Checks fields against each other, before the first request.
	 *
	 * @throws InputError - two fields contradict each other
	 */
	check?(input: InputOf<Fields>): void;
	sends?: Sends<InputOf<Fields>>;
	asks?: Asks<InputOf<Fields>>;
	batch?: Batch<InputOf<Fields>>;
	/**
	 * Set if Retry On Fail must not repeat the operation for an item that succeeded or whose outcome is unknown.
	 * Results are recorded as for a send (`send/ledger.ts`), but the operation has no send options. With
	 * `countsRefusals`, an attempt that the service rejected isn't repeated either. With `untilConfirmed`, an attempt
	 * whose outcome is unknown is repeated.
	 */
	once?: boolean | 'countsRefusals' | 'untilConfirmed';
	/**
	 * Codes of failures that concern a single item. They never stop the other items, even if the node stops on errors.
	 */
	continueAfter?: readonly FailureCode[];
};

/**
 * An operation with fields of any type. TypeScript checks that the operation's functions match its fields in the call
 * to `defineOperation`.
 */
export type Operation = Omit<
	OperationOptions<readonly Field[]>,
	'check' | 'sends' | 'asks' | 'batch'
> & {
	check?(input: Input): void;
	sends?: Sends<Input>;
	asks?: Asks<Input>;
	batch?: Batch<Input>;
	/** The fields as n8n shows them, before `displayOptions` for resource and operation are added. */
	properties: INodeProperties[];
	/** Whether the operation lists records. Items that need the same request then share one. */
	isListing: boolean;
} & Work<Input>;

/** Completes the declaration of an operation. TypeScript infers `input` from the fields. */
export function defineOperation<const Fields extends readonly Field[]>(
	declared: OperationOptions<Fields> & Work<InputOf<Fields>>,
): Operation {
	const fields = withGeneralOptions(declared);
	return {
		...(declared as unknown as Operation),
		fields,
		properties: fields.map(({ property }) => property),
		isListing: fields.some(({ property }) => property.name === 'returnAll'),
	};
}

export type Resource = {
	/** Stored in saved workflows, so never rename it. */
	value: string;
	name: string;
	/** Shown in the drop-down, below the name. */
	description: string;
	/** The API that all its operations use, which determines the credential. Undefined if they make no requests. */
	connection?: Connection;
	operations: [Operation, ...Operation[]];
};

/**
 * Finds the operation that is selected in the panel. Returns undefined if it only existed in an earlier version of the
 * package.
 */
export function findOperation(
	resources: Resource[],
	chosen: { resource: unknown; operation: unknown },
): { operation: Operation; connection?: Connection } | undefined {
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ value }) => value === chosen.operation);
	return resource && operation && { operation, connection: resource.connection };
}
