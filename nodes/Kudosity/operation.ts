import type { INodeProperties } from 'n8n-workflow';
import type { Clock } from './lib/async';
import type { Connection } from './api/transport';
import type { Json } from './lib/json';
import type { Service } from './api/service';
import type { EventType } from './api/endpoints/webhook';
import type { Field, Input, InputOf } from './fields/field';
import { withGeneralOptions } from './fields/sendOptions';
import type { Parties } from './fields/question';
import type { RefusalCode } from './api/failureCodes';

/** What an operation works with. Nothing here is specific to n8n. */
export type Services = Service & {
	clock: Clock;
	/** The workflow's, in which dates without a zone count, e.g. Australia/Sydney. */
	timeZone: string;
	/** By which the message is found again, where the user gave no reference of their own. */
	reference?: string;
};

/** One record, several, or a stream of them; each becomes an item. */
export type Output = Json | Json[] | AsyncIterable<Json>;

/** Phone numbers in E.164 digits, or all contacts of a list. */
export type Recipients = { numbers: string[] } | { listId: string };

/** What tells a message from others. */
export type Marks = { reference: string; recipient: string; sender: string; text: string };

/** A message that the service has; `answer` is all that it says of it. */
export type Found = Marks & { id: string; createdMs: number; answer: Json };

/** How a message is found again whose send was not answered. */
export type LookUp<Input> = {
	/** So long after it took a message, the service knows it at the latest. */
	longestMissingMs: number;
	/** What tells the message of an input from others. */
	marksOf(input: Input, reference: string): Marks & { rewritten?: RegExp };
	/** What may be that message, as little as the service can be asked for; undefined for what is none. */
	search(service: Service, marks: Marks): AsyncIterable<Found | undefined>;
};

/** Costs money and cannot be taken back: gets the options, the pipeline and the warning of every send. */
export type Sends<Input> = {
	to: (input: Input) => Recipients;
	/** The text that is sent, where the channel bills it in parts. */
	text?: (input: Input) => string | undefined;
	/** The SMS that goes out in its place where it does not arrive; that one has parts as well. */
	fallback?: (input: Input) => string | undefined;
	lookUp?: LookUp<Input>;
	/** What agents are told of an answer, where it is not that of one message to one recipient. */
	agentFields?: readonly string[];
};

/** A text beside a question, e.g. its explanation. */
export type Notice = { text: string; sender: string; recipient: string; reference: string };

/** Waits for the reply of the person it sends to: the webhook, the wait and the output follow. */
export type Asks<Input> = {
	/** The event types in which a reply, or the end of all messages, arrives. */
	events: EventType[];
	parties: (input: Input) => Parties;
	say: (service: Service, said: Notice) => Promise<Json>;
};

/** Sends requests, several at a time; those that never began are rejected with NotBegunError. */
export type SendAll<Input> = (requests: Input[]) => Promise<Array<PromiseSettledResult<Json>>>;

/** Several items in one request. */
export type Batch<Input> = {
	/** Made for each run: makes the same of inputs, in their order, what only n8n's evaluation keeps apart. */
	normalizer(): (input: Input) => Input;
	/** Items of the same name go out together, each number once. */
	groupOf(input: Input): string;
	/** Made for each run, since what went out before does not go out again. What each of the inputs comes to. */
	sender(
		isDry: boolean,
	): (inputs: Input[], sendAll: SendAll<Input>) => Promise<Array<PromiseSettledResult<Json>>>;
	/** The numbers that certainly got nothing, of an item's answer. */
	notSentOf(answer: Json): Set<string>;
	/** Whether something went out, and something else could be tried again. */
	isSentInPart(answer: Json): boolean;
};

/** What an item gets beside all that it has, and the path of the field in which it gets it. */
export type Annotation = { path: string[]; value: Json };

/** What an operation does: it asks the service, or it looks at the items alone. */
type Work<Input> =
	| {
			run(services: Services, input: Input): Output | Promise<Output>;
			annotator?: undefined;
	  }
	| {
			/** Made for each run; called for its items in their order. Needs neither a request nor a credential. */
			annotator(): (input: Input) => Annotation;
			run?: undefined;
	  };

type Described<Fields extends readonly Field[]> = {
	/** Stored in saved workflows: never rename. */
	value: string;
	/** Shown in the drop-down. */
	name: string;
	/** Shown in the node panel's list of actions, in sentence case. */
	action: string;
	description: string;
	/** In the order of the panel. */
	fields: Fields;
	/** What no field can tell by itself. @throws InputError before the first request of all items */
	check?(input: InputOf<Fields>): void;
	sends?: Sends<InputOf<Fields>>;
	asks?: Asks<InputOf<Fields>>;
	batch?: Batch<InputOf<Fields>>;
	/** Not to be done twice: remembered as a send is, without its options; if need be, also a refusal. */
	once?: boolean | 'countsRefusals';
	/** Refusals of one item after which the others are done all the same, also where the node stops at a failure. */
	continueAfter?: readonly RefusalCode[];
};

type Declared<Fields extends readonly Field[]> = Described<Fields> & Work<InputOf<Fields>>;

/** An operation whatever its fields are: `defineOperation` has checked that its functions fit them. */
export type Operation = Omit<Described<readonly Field[]>, 'check' | 'sends' | 'asks' | 'batch'> & {
	check?(input: Input): void;
	sends?: Sends<Input>;
	asks?: Asks<Input>;
	batch?: Batch<Input>;
	/** The fields as n8n shows them; `displayOptions` for resource and operation are added. */
	properties: INodeProperties[];
	/** Whether it gets many records: then it is read once for all items that ask for the same. */
	isListing: boolean;
} & Work<Input>;

const warning =
	'It costs money and cannot be taken back: not for tests, repeats or anybody who has opted out.';

/** An operation with what follows from its declaration. TypeScript infers `input` from the fields. */
export const defineOperation = <const Fields extends readonly Field[]>(
	declared: Declared<Fields>,
): Operation => {
	const { description, sends } = declared;
	const fields = withGeneralOptions(declared);
	return {
		...(declared as unknown as Operation),
		fields,
		description: sends ? `${description.replace(/\.$/, '')}. ${warning}` : description,
		properties: fields.map(({ property }) => property),
		isListing: fields.some(({ property }) => property.name === 'returnAll'),
	};
};

export type Resource = {
	/** Stored in saved workflows: never rename. */
	value: string;
	name: string;
	/** Which API, and so which credential, all of its operations use; none where they ask nobody. */
	connection?: Connection;
	operations: [Operation, ...Operation[]];
};

/** What was chosen in the panel. Undefined for what a former version of the package had. */
export const findOperation = (
	resources: Resource[],
	chosen: { resource: unknown; operation: unknown },
): { operation: Operation; connection?: Connection } | undefined => {
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ value }) => value === chosen.operation);
	return resource && operation && { operation, connection: resource.connection };
};
