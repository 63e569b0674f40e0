import type { INodeProperties } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import type { Json } from '../api/json';
import type { Service } from '../api/service';
import type { EventType } from '../api/schemas/webhook.schema';
import type { Connection } from '../api/transport';
import type { Field, InputOf } from '../fields/field';
import { withGeneralOptions } from '../fields/generalOptions';
import type { Parties } from '../fields/questionSettings';
import type { LookUp } from '../sending/lookUp';
import type { Receivers } from '../sending/message';
import type { Said } from '../sending/sayBySms';
import type { RefusalCode } from './failureCodes';

/** What an operation works with. Nothing here is specific to n8n. */
export type Services = Service & {
	clock: Clock;
	/** The workflow's, in which dates without a zone count, e.g. Australia/Sydney. */
	timeZone: string;
	/** By which the reply to a question finds its message. */
	reference?: string;
};

/** One record, several, or a stream of them; each becomes an item. */
export type Output = Json | Json[] | AsyncIterable<Json>;

/** What an operation that sends says of itself; everything that a send has follows from it. */
export type Sends<Input> = {
	/** Whom a message goes to. */
	to: (input: Input) => Receivers;
	/** The text that is sent, where the channel bills it in parts. */
	text?: (input: Input) => string | undefined;
	/** The SMS that goes out in its place where it does not arrive; that one has parts as well. */
	fallback?: (input: Input) => string | undefined;
	/** How a message is found whose send was not answered. */
	lookUp?: LookUp<Input>;
	/** What agents are told of an answer, where it is not that of one message to one recipient. */
	toldToAgents?: readonly string[];
};

/** What an operation that waits for the reply says of itself: the hook, the wait and the output follow. */
export type Asks<Input> = {
	/** The event types in which a reply, or the end of all messages, arrives. */
	events: EventType[];
	parties: (input: Input) => Parties;
	/** Sends a text of ours to whoever was asked. */
	say: (service: Service, said: Said) => Promise<Json>;
};

/** A request that went out before, or may have. */
export type Former<Input> = { input: Input; result: PromiseSettledResult<Json> };

/** One request for several items. */
export type Combined<Input, Share> = {
	input: Input;
	/** What it came to, where it is a former one. */
	result?: PromiseSettledResult<Json>;
	/** What each of its items has to do with it; `of` is the item's place among those that were combined. */
	shares: Array<{ of: number; share: Share }>;
};

/** What became of a request, for one of its items. */
export type Outcome<Share> = { share: Share; result: PromiseSettledResult<Json> };

/** How items go out in fewer requests than there are items. Pure. */
export type Combine<Input, Share> = {
	/** With those of `former` whose recipients are asked for again. */
	requestsOf(inputs: Input[], former: Array<Former<Input>>): Array<Combined<Input, Share>>;
	/** Made for each run: makes the same of inputs, in their order, what only n8n's evaluation keeps apart. */
	steady(): (input: Input) => Input;
	/** Items of the same name go out together, each number once. */
	nameOf(input: Input): string;
	/** What would go out for one of the items. */
	wouldSend(input: Input): Json;
	/** What the service would say to a request, as far as that is known without it. */
	tried(input: Input): Json;
	/** @throws what the item failed with */
	answerOf(input: Input, outcomes: Array<Outcome<Share>>): Json;
	/** The numbers that certainly got nothing, of what `answerOf` gave. */
	notSentOf(answer: Json): Set<string>;
	/** Whether something went out, and something else could be tried again. */
	isSentInPart(answer: Json): boolean;
};

type Described = {
	/** Stored in saved workflows: never rename. */
	value: string;
	/** Shown in the drop-down. */
	name: string;
	/** Shown in the node panel's list of actions, in sentence case. */
	action: string;
	description: string;
};

type Declared<Fields extends readonly Field[]> = Described & {
	/** In the order of the panel. */
	fields: Fields;
	/** What no field can tell by itself, whenever. @throws InputError before the first request of all items */
	check?(input: InputOf<Fields>): void;
	/** Costs money and cannot be taken back: gets the options, the memory and the warning of every send. */
	sends?: Sends<InputOf<Fields>>;
	/** Waits for the reply of the person it sends to. */
	asks?: Asks<InputOf<Fields>>;
	/** Not to be done twice: remembered as a send is, without its options; if need be, also a refusal. */
	once?: boolean | 'evenIfRefused';
	/** Refusals of one item after which the others are done all the same, also where the node stops at a failure. */
	goesOnAfter?: readonly RefusalCode[];
	/** Then `run` gets the inputs that the items were combined into. */
	combine?: Combine<InputOf<Fields>, unknown>;
	run(services: Services, input: InputOf<Fields>): Output | Promise<Output>;
};

export type Operation = Declared<readonly Field[]> & {
	/** The fields as n8n shows them; `displayOptions` for resource and operation are added. */
	properties: INodeProperties[];
	/** Whether it gets many records: then it is read once for all items that ask for the same. */
	isListing: boolean;
};

const warning =
	'It costs money and cannot be taken back: not for tests, repeats or anybody who has opted out.';

/** An operation with what follows from its declaration. TypeScript infers `input` from the fields. */
export const defineOperation = <const Fields extends readonly Field[]>(
	declared: Declared<Fields>,
): Operation => {
	const { description, sends } = declared;
	const operation = declared as unknown as Declared<readonly Field[]>;
	const fields = withGeneralOptions(operation);
	return {
		...operation,
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
	/** Which API, and so which credential, all of its operations use. */
	connection: Connection;
	operations: [Operation, ...Operation[]];
};

/** What was chosen in the panel. Undefined for what a former version of the package had. */
export const findOperation = (
	resources: Resource[],
	chosen: { resource: unknown; operation: unknown },
): { operation: Operation; connection: Connection } | undefined => {
	const resource = resources.find(({ value }) => value === chosen.resource);
	const operation = resource?.operations.find(({ value }) => value === chosen.operation);
	return resource && operation && { operation, connection: resource.connection };
};
