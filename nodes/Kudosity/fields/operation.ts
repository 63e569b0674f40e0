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

/** The tools of an operation. Nothing in them is specific to n8n. */
export type Services = TimedService & {
	/** The workflow's time zone, for dates without one, e.g. Australia/Sydney. */
	timeZone: string;
	/** Our own reference. It is sent with the message, unless the user gave a reference, to find the message again. */
	reference?: string;
	/** The address of this n8n that the service delivers to: the part that all webhooks share. */
	receiver(): Promise<{ url: string; isReachable: boolean }>;
	/** Tells the user something about the output. */
	hint(text: string): void;
};

/** The output of an operation. Each record becomes an item. */
export type Output = Json | Json[] | AsyncIterable<Json>;

/** Phone numbers in E.164 digits, or all contacts of a list. */
export type Recipients = { numbers: string[] } | { listId: string };

/** Describes how to find a message whose answer was lost. */
export type LookUp<Input> = {
	/** After this time, the service finds every message that it accepted. */
	maxMissingMs: number;
	/** Whether the message has a reference of the user's own. Another message can have the same one. */
	hasOwnReference(input: Input): boolean;
	/** Finds the record of the message with our reference. Undefined if the service has none. */
	find(service: Service, message: { input: Input; reference: string }): Promise<Json | undefined>;
};

/**
 * Declares an operation that costs money and cannot be undone. Adds the options, the limits and the pipeline of a send.
 */
export type Sends<Input> = {
	to: (input: Input) => Recipients;
	/** The text, if the channel bills it in parts. */
	text?: (input: Input) => string | undefined;
	/** The text of the SMS that is sent if the message does not arrive. It is billed in parts as well. */
	fallback?: (input: Input) => string | undefined;
	lookUp?: LookUp<Input>;
	/** When the message is sent, in milliseconds since the epoch. Undefined for right away. */
	sendAt?: (input: Input) => number | undefined;
	/** The fields of the answer that agents get, if it is not about one message to one recipient. */
	agentFields?: readonly string[];
};

/** Declares an operation that waits for the recipient's reply. Adds the webhook, the wait and the output. */
export type Asks<Input> = {
	/** The types of events that bring a reply or an opt-out. */
	events: EventType[];
	parties: (input: Input) => Parties;
	/** Sends a text that is not the question itself, e.g. an explanation. */
	notify: (service: Service, notice: Notice) => Promise<Json>;
};

/** Declares an operation that sends one message to the recipients of many items, in as few requests as possible. */
export type Batch<Input> = {
	/**
	 * Replaces values that may differ a little between items and still mean the same, such as a time, with those of the
	 * first item.
	 */
	align(input: Input, first: Input): Input;
	/** Leaves out the recipients, so only the values remain that all items must share. */
	withoutRecipients(input: Input): Input;
	/** Returns requests that together reach everybody, each number once. */
	requestsFor(inputs: Input[]): Input[];
	/**
	 * Creates a function that reads the outcome of one item from the requests. That function throws the item's failure
	 * if none of its numbers was accepted.
	 */
	reader(
		requests: Input[],
		results: Array<PromiseSettledResult<Json>>,
		isDry: boolean,
	): (input: Input) => Json;
	/**
	 * Shapes the output of an item to a contact list, which has a request of its own. `place` is given in a dry run.
	 */
	toListOutput(input: Input, answer: Json, place?: { number: number; requests: number }): Json;
	/** Shapes the output of an item that sends the same to the same list as another item of the run. */
	toRepeatedOutput(output: Json): Json;
	/** Leaves out numbers that get no message. The output of the item names them with their code. */
	leaveOut(input: Input, codes: Map<string, SkipCode>): Input;
	/** Returns the numbers of an item that certainly got no message. */
	notSentOf(output: Json): Set<string>;
	/** Whether it is unknown for one of the item's numbers whether it got the message. */
	isUnconfirmed(output: Json): boolean;
};

/** A value that an item gets in addition to its own fields, and the path of its field. */
export type Annotation = { path: string[]; value: Json };

/** The work of an operation, which either calls the service, or only looks at its items. */
type Work<Input> =
	| {
			run(services: Services, input: Input): Output | Promise<Output>;
			annotator?: undefined;
	  }
	| {
			/**
			 * Creates the function that looks at the items, in their order. There is one for each run. It makes no
			 * request and needs no credential.
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
	 * Present if the operation must not be done twice. It is remembered like a send, but does not have the options of
	 * one. With `countsRefusals`, a refused try is not repeated either. With `untilConfirmed`, a try that nobody
	 * confirmed is repeated.
	 */
	once?: boolean | 'countsRefusals' | 'untilConfirmed';
	/** The failures of one item that never stop the others, even if the node stops at a failure. */
	continueAfter?: readonly FailureCode[];
};

/** An operation with any fields. `defineOperation` has checked that its functions fit them. */
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
	/** Whether the operation lists records, so items that ask for the same share one request. */
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
	/** The API of all its operations, and so the credential. Undefined if they make no request. */
	connection?: Connection;
	operations: [Operation, ...Operation[]];
};

/** Finds the operation that is chosen in the panel. Undefined if only an earlier version of the package had it. */
export function findOperation(
	resources: Resource[],
	chosen: { resource: unknown; operation: unknown },
): { operation: Operation; connection?: Connection } | undefined {
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ value }) => value === chosen.operation);
	return resource && operation && { operation, connection: resource.connection };
}
