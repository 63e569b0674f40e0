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

/** What an operation works with; nothing in it is specific to n8n. */
export type Services = TimedService & {
	/** The workflow's time zone, for dates without one, e.g. Australia/Sydney. */
	timeZone: string;
	/** Sent with the message unless the user gave their own, to find it again. */
	reference?: string;
	/** The address of this n8n that the service delivers to, as far as all webhooks share it. */
	receiver(): Promise<{ url: string; isReachable: boolean }>;
	/** Tells the user something about the output. */
	hint(text: string): void;
};

/** Each record becomes an item. */
export type Output = Json | Json[] | AsyncIterable<Json>;

/** Phone numbers in E.164 digits, or all contacts of a list. */
export type Recipients = { numbers: string[] } | { listId: string };

/** How a message is found whose answer was lost. */
export type LookUp<Input> = {
	/** After this long, the service finds every message that it accepted. */
	maxMissingMs: number;
	/** Whether the message has a reference of the user's own, which another message can have, too. */
	hasOwnReference(input: Input): boolean;
	/** The record of the message with our reference; undefined if the service has none. */
	find(service: Service, message: { input: Input; reference: string }): Promise<Json | undefined>;
};

/** For an operation that costs money and cannot be undone: adds the options, the limits and the pipeline of a send. */
export type Sends<Input> = {
	to: (input: Input) => Recipients;
	/** The text, if the channel bills it in parts. */
	text?: (input: Input) => string | undefined;
	/** The text of the SMS that is sent if the message does not arrive. It is billed in parts as well. */
	fallback?: (input: Input) => string | undefined;
	lookUp?: LookUp<Input>;
	/** When the message is sent, in milliseconds since the epoch, if not right away. */
	sendAt?: (input: Input) => number | undefined;
	/** The fields of the answer that agents get, if it is not about one message to one recipient. */
	agentFields?: readonly string[];
};

/** For an operation that waits for the recipient's reply: adds the webhook, the wait and the output. */
export type Asks<Input> = {
	/** The types of events that bring a reply or an opt-out. */
	events: EventType[];
	parties: (input: Input) => Parties;
	/** Sends a text that is not the question itself, e.g. its explanation. */
	notify: (service: Service, notice: Notice) => Promise<Json>;
};

/** For an operation that sends one message to the recipients of many items, in as few requests as possible. */
export type Batch<Input> = {
	/** The input with what may differ a little and still means the same as in the first item, such as a time. */
	align(input: Input, first: Input): Input;
	/** What has to be the same in all items. */
	withoutRecipients(input: Input): Input;
	/** Requests that together reach everybody, each number once. */
	requestsFor(inputs: Input[]): Input[];
	/** Reads the outcome of one item from the requests. The function throws its failure if nobody of it was accepted. */
	reader(
		requests: Input[],
		results: Array<PromiseSettledResult<Json>>,
		isDry: boolean,
	): (input: Input) => Json;
	/** The output of an item to a contact list, which has a request of its own; `place` is there in a dry run. */
	toListOutput(input: Input, answer: Json, place?: { number: number; requests: number }): Json;
	/** The output of an item to a list that another item of the run has sent the same to. */
	toRepeatedOutput(output: Json): Json;
	/** The input without the numbers that get no message; the output of the item names them with their code. */
	leaveOut(input: Input, codes: Map<string, SkipCode>): Input;
	/** The numbers of an item that certainly got no message. */
	notSentOf(output: Json): Set<string>;
	/** Whether it is unknown for one of its numbers whether it got the message. */
	isInDoubt(output: Json): boolean;
};

/** What an item gets in addition to its own fields, and the path of the field that gets it. */
export type Annotation = { path: string[]; value: Json };

/** An operation either calls the service, or only looks at its items. */
type Work<Input> =
	| {
			run(services: Services, input: Input): Output | Promise<Output>;
			annotator?: undefined;
	  }
	| {
			/** Created for each run, called for its items in order. Makes no request and needs no credential. */
			annotator(): (input: Input) => Annotation;
			run?: undefined;
	  };

type OperationOptions<Fields extends readonly Field[]> = {
	/** Stored in saved workflows: never rename. */
	value: string;
	/** Shown in the drop-down. */
	name: string;
	/** Shown in the node panel's list of actions, in sentence case. */
	action: string;
	description: string;
	/** In the order of the panel. */
	fields: Fields;
	/** Checks fields against each other, before the first request. @throws InputError */
	check?(input: InputOf<Fields>): void;
	sends?: Sends<InputOf<Fields>>;
	asks?: Asks<InputOf<Fields>>;
	batch?: Batch<InputOf<Fields>>;
	/**
	 * Must not be done twice: remembered like a send, but without its options. `countsRefusals`: a refusal, too.
	 * `untilConfirmed`: what nobody confirmed is worth another try.
	 */
	once?: boolean | 'countsRefusals' | 'untilConfirmed';
	/** Failures of one item that never stop the others, even if the node stops at a failure. */
	continueAfter?: readonly FailureCode[];
};

/** An operation with any fields: `defineOperation` has checked that its functions fit them. */
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
	/** Whether it lists records: then items that ask for the same share one request. */
	isListing: boolean;
} & Work<Input>;

/** Adds what follows from the declaration. TypeScript infers `input` from the fields. */
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
	/** Stored in saved workflows: never rename. */
	value: string;
	name: string;
	/** Shown in the drop-down, below the name. */
	description: string;
	/** The API, and so the credential, of all its operations; none where they make no request. */
	connection?: Connection;
	operations: [Operation, ...Operation[]];
};

/** What is chosen in the panel. Undefined if only an earlier version of the package had it. */
export function findOperation(
	resources: Resource[],
	chosen: { resource: unknown; operation: unknown },
): { operation: Operation; connection?: Connection } | undefined {
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ value }) => value === chosen.operation);
	return resource && operation && { operation, connection: resource.connection };
}
