import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { eventTypes } from '../api/endpoints/webhook';
import type { EventKind } from '../events/schema';
import { options as strictOptions, type Shown } from '../fields/collections';
import { field, type Field, type InputOf, readFields, type ReadContext } from '../fields/field';
import { simplify as simplifyMessages } from '../fields/listing';
import { commaList, oneOf, optional, trimmedText, trueOrFalse } from '../fields/readers';
import { eventOptions, rateLimit, webhookFilters } from '../fields/webhook';
import { settleNow } from '../lib/async';
import { isJson } from '../lib/json';
import { mediaPrefix } from '../n8n/delivery';

/** The outputs of the option `byEvent`. Never reorder them: workflows are wired to their positions. */
export const eventGroups = ['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other'] as const;

const groups: Record<EventKind, (typeof eventGroups)[number]> = {
	inbound: 'Replies',
	optOut: 'Opt-Outs',
	status: 'Delivery',
	linkHit: 'Clicks',
};

/** The position of an event's output. Unknown types go to Other. */
export const outputIndexOf = (kind: EventKind | undefined): number =>
	eventGroups.indexOf(kind ? groups[kind] : 'Other');

const namedOutputs = eventGroups.map((displayName) => ({ type: 'main', displayName }));

/** n8n evaluates this in the editor, too, so it can only use parameters. */
export const outputsExpression =
	`={{ ($parameter.options || {}).outputs === 'byEvent' ? ${JSON.stringify(namedOutputs)} : ['main'] }}` as const;

/** Falls back to the field's default when a value is missing or unreadable, so that no delivery fails. */
const tolerant = <const Name extends string, Value extends INodeProperties['default']>(
	read: (value: unknown) => Value | undefined,
	property: Omit<INodeProperties, 'name' | 'default'> & { name: Name; default: NoInfer<Value> },
): Field<Name, Value> =>
	field((value) => {
		const result = settleNow(() => read(value));
		return (result.status === 'fulfilled' ? result.value : undefined) ?? property.default;
	}, property);

/** Off, unless it has another default. */
const tolerantSwitch = <const Name extends string>(shown: Shown<Name> & { default?: boolean }) =>
	tolerant(trueOrFalse, { type: 'boolean', default: false, ...shown });

const readEvents = (value: unknown) => {
	const chosen = commaList(value);
	return eventTypes.filter((type) => chosen.includes(type));
};

const events = tolerant(readEvents, {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	noDataExpression: true,
	options: eventOptions,
	required: true,
	default: [],
});

const simplify = tolerant(trueOrFalse, { ...simplifyMessages.property, default: true });

const downloadMedia = tolerantSwitch({
	displayName: 'Download Media',
	name: 'downloadMedia',
	default: true,
	description: 'Whether to output the pictures, sounds and videos of a received MMS as files',
});

const skipOutdatedStatuses = tolerantSwitch({
	displayName: 'Skip Outdated Statuses',
	name: 'skipOutdatedStatuses',
	description:
		'Whether to skip statuses that are repeated or late, such as Sent after Delivered. Some may still come through, e.g. after a restart.',
});

const outputFieldPrefix = tolerant(optional(trimmedText), {
	displayName: 'Output Field Prefix',
	name: 'outputFieldPrefix',
	type: 'string',
	default: mediaPrefix,
	placeholder: 'e.g. media',
	description: 'Prefix of the output fields that hold the files, e.g. media0, media1',
});

const onlyFinalStatuses = tolerantSwitch({
	displayName: 'Only Final Statuses',
	name: 'onlyFinalStatuses',
	description:
		'Whether to receive only final statuses such as Delivered or Failed, and skip others such as Queued or Sent. Recommended for large sends.',
});

const skipQuestionAnswers = tolerantSwitch({
	displayName: 'Skip Answers to Questions',
	name: 'skipQuestionAnswers',
	description:
		'Whether to skip replies that answered a question sent with the same API key, by any n8n. In rare cases, a person is answered twice.',
});

const outputs = tolerant(oneOf(['single', 'byEvent']), {
	displayName: 'Outputs',
	name: 'outputs',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'One Output', value: 'single', description: 'All events in the same output' },
		{
			name: 'One per Event Type',
			value: 'byEvent',
			description: 'Separate outputs for replies, opt-outs, delivery, clicks and other events',
		},
	],
	default: 'single',
	description: 'How many outputs the node has',
});

const sharedRateLimit = field(rateLimit.read, {
	...rateLimit.property,
	description: 'Max number of events Kudosity sends to this workflow per second. 0 means no limit.',
});

/** A subset of the options. Anything that is not an object counts as empty. */
const options = <const Fields extends readonly Field[]>(...fields: Fields) => {
	const { property, read } = strictOptions(...fields);
	return field((value, scope) => read(isJson(value) ? value : {}, scope), property);
};

const ofDelivery = [
	downloadMedia,
	skipOutdatedStatuses,
	outputFieldPrefix,
	onlyFinalStatuses,
	outputs,
	skipQuestionAnswers,
];

/** The fields that a delivery depends on. Reading them never fails. */
export const deliveryFields = [events, simplify, options(...ofDelivery)];

export type DeliveryParameters = InputOf<typeof deliveryFields>;

/** The fields that the webhooks depend on. Invalid filters and rate limits are refused: they would let too much through. */
export const webhookFields = [events, webhookFilters, options(onlyFinalStatuses, sharedRateLimit)];

/** All fields, in the order of the panel. */
export const fields = [events, simplify, webhookFilters, options(...ofDelivery, sharedRateLimit)];

type Context = IHookFunctions | IWebhookFunctions;

/** At a delivery, an expression that fails counts as an empty field, so that the event is not lost. */
const valueOf = (context: Context, name: string): unknown => {
	const evaluate = () => context.getNodeParameter(name, undefined);
	if (!('getRequestObject' in context)) return evaluate();
	const evaluated = settleNow(evaluate);
	if (evaluated.status === 'fulfilled') return evaluated.value;
	context.logger.warn(
		`n8n could not evaluate '${name}' of a Kudosity Trigger. Its default is used`,
	);
	return undefined;
};

/** Reads only the given fields, since n8n is slow to look one up. Only the webhook fields depend on `scope`. */
export const readParameters = <const Fields extends readonly Field[]>(
	context: Context,
	fields: Fields,
	scope: ReadContext = { timeZone: 'UTC' },
): InputOf<Fields> => {
	const names = fields.map(({ property }) => property.name);
	const values = names.map((name) => [name, valueOf(context, name)]);
	return readFields(fields, Object.fromEntries(values), scope);
};
