import type { INodeProperties } from 'n8n-workflow';
import type { Connection } from '../api/transport';
import type { Json } from '../lib/json';
import type { Service, TimedService } from '../api/service';
import type { Notice } from '../api/endpoints/sms';
import type { EventType } from '../api/endpoints/webhook';
import type { Field, Input, InputOf } from './field';
import { withGeneralOptions } from './sendOptions';
import type { Parties } from './question';
import type { FailureCode } from '../api/failureCodes';

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

export type Marks = { reference: string; recipient: string; sender: string; text: string };

/** A message that the service has; `answer` is its whole record. */
export type Found = Marks & { id: string; createdMs: number; answer: Json };

export type LookUp<Input> = {
	/** After this long, the service finds every message that it accepted. */
	maxMissingMs: number;
	/** `rewritten` matches the parts of the text that the service replaces. */
	marksOf(input: Input, reference: string): Marks & { rewritten?: RegExp };
	/** Candidates, as few as the service can be asked for; undefined for a record that is not a message. */
	search(service: Service, marks: Marks): AsyncIterable<Found | undefined>;
};

/** For an operation that costs money and cannot be undone: adds the options, the limits and the pipeline of a send. */
export type Sends<Input> = {
	to: (input: Input) => Recipients;
	/** The text, if the channel bills it in parts. */
	text?: (input: Input) => string | undefined;
	/** The text of the SMS that is sent if the message does not arrive. It is billed in parts as well. */
	fallback?: (input: Input) => string | undefined;
	lookUp?: LookUp<Input>;
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

/** Sends requests, several at a time; those that were not started are rejected with NotStartedError. */
export type SendAll<Input> = (requests: Input[]) => Promise<Array<PromiseSettledResult<Json>>>;

export type Batch<Input> = {
	/** One for each run, for its inputs in their order: evens out what n8n evaluates differently for each, e.g. `$now`. */
	normalizer(): (input: Input) => Input;
	/** Items of the same group go out together, each number once. */
	groupOf(input: Input): string;
	/** One for each run, as it remembers what went out. Returns a result for each input. */
	sender(
		isDry: boolean,
	): (inputs: Input[], sendAll: SendAll<Input>) => Promise<Array<PromiseSettledResult<Json>>>;
	leaveOut(input: Input, numbers: Set<string>): Input;
	/** Whether earlier items brought all of its numbers, or its list. */
	isCovered(answer: Json): boolean;
	/** How many numbers an item left out, or lost sight of. */
	countLeftOut(answer: Json): { notSent: number; notConfirmed: number };
	/** The numbers that certainly got no message. */
	notSentOf(answer: Json): Set<string>;
	/** Whether a part went out, and the rest could be tried again. */
	isSentInPart(answer: Json): boolean;
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
export const defineOperation = <const Fields extends readonly Field[]>(
	declared: OperationOptions<Fields> & Work<InputOf<Fields>>,
): Operation => {
	const fields = withGeneralOptions(declared);
	return {
		...(declared as unknown as Operation),
		fields,
		properties: fields.map(({ property }) => property),
		isListing: fields.some(({ property }) => property.name === 'returnAll'),
	};
};

export type Resource = {
	/** Stored in saved workflows: never rename. */
	value: string;
	name: string;
	/** The API, and so the credential, of all its operations; none where they make no request. */
	connection?: Connection;
	operations: [Operation, ...Operation[]];
};

/** What is chosen in the panel. Undefined if only an earlier version of the package had it. */
export const findOperation = (
	resources: Resource[],
	chosen: { resource: unknown; operation: unknown },
): { operation: Operation; connection?: Connection } | undefined => {
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ value }) => value === chosen.operation);
	return resource && operation && { operation, connection: resource.connection };
};
