import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { type EventType, eventTypes } from '../api/endpoints/webhook';
import { optOutKeywords as usualKeywords } from '../events/optOutText';
import { type EventKind, kindOf } from '../events/schema';
import { filterStatuses } from '../events/statuses';
import {
	filters as strictFilters,
	options as strictOptions,
	type Shown,
} from '../fields/collections';
import {
	field,
	type Field,
	type InputOf,
	readFields,
	type ReadContext,
	shownWhen,
} from '../fields/field';
import { simplify as simplifyMessages } from '../fields/listing';
import {
	anyOf,
	commaList,
	oneOf,
	optional,
	trimmedText,
	trueOrFalse,
	wordsWithSlashes,
} from '../fields/readers';
import { eventOptions, rateLimit, status, webhookFilters } from '../fields/webhook';
import { settleNow } from '../lib/async';
import { isJson } from '../lib/json';
import { byName } from '../lib/text';
import { mediaPrefix } from '../n8n/delivery';

/**
 * The outputs if the Outputs option is `byEvent`. Never reorder them, because saved workflows are wired to their
 * positions.
 */
export const eventGroups = ['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other'] as const;

const groups: Record<EventKind, (typeof eventGroups)[number]> = {
	inbound: 'Replies',
	optOut: 'Opt-Outs',
	status: 'Delivery',
	linkHit: 'Clicks',
};

/** Returns the index of an event's output. Events of unknown type go to Other. */
export function outputIndexOf(kind: EventKind | undefined): number {
	return eventGroups.indexOf(kind ? groups[kind] : 'Other');
}

const namedOutputs = eventGroups.map((displayName) => ({ type: 'main', displayName }));

/**
 * The node's outputs as an n8n expression. The expression can only use the node's parameters, because n8n also
 * evaluates it in the editor.
 */
export const outputsExpression =
	`={{ ($parameter.options || {}).outputs === 'byEvent' ? ${JSON.stringify(namedOutputs)} : ['main'] }}` as const;

/** Creates a field that falls back to its default if a value is missing or unreadable, because no delivery may fail. */
function withDefaultOnError<const Name extends string, Value extends INodeProperties['default']>(
	read: (value: unknown) => Value | undefined,
	property: Omit<INodeProperties, 'name' | 'default'> & { name: Name; default: NoInfer<Value> },
): Field<Name, Value> {
	return field((value) => {
		const result = settleNow(() => read(value));
		return (result.status === 'fulfilled' ? result.value : undefined) ?? property.default;
	}, property);
}

/** Creates a switch that falls back to its default, which is off unless another default is given. */
const switchWithDefaultOnError = <const Name extends string>(
	shown: Shown<Name> & { default?: boolean },
) => withDefaultOnError(trueOrFalse, { type: 'boolean', default: false, ...shown });

/**
 * Stands for every way to opt out: Kudosity's opt-out event, and messages that ask to opt out. It must be a trigger's
 * only event, because filters for other events would hide some opt-outs.
 */
export const anyOptOut = 'ANY_OPT_OUT';

export const anyOptOutName = 'Opt-Out (Link, STOP or Keyword)';

const anyOptOutOption = {
	value: anyOptOut,
	name: anyOptOutName,
	description:
		'Someone opted out by link, or by replying with STOP, another keyword or a short phrase. Requires a separate trigger.',
	action: 'On opt-out (link, STOP or keyword)',
};

/** The options of the Trigger On field, sorted by name. */
export const triggerEventOptions = [...eventOptions, anyOptOutOption].sort(byName);

const triggerEvents = [...eventTypes, anyOptOut] as const;
export type TriggerEvent = (typeof triggerEvents)[number];

const optOutTypes = eventTypes.filter((type) => ['inbound', 'optOut'].includes(kindOf(type) ?? ''));

/** Returns the event types that Kudosity has to send. */
export function subscribedTypes(events: readonly TriggerEvent[]): EventType[] {
	return events.flatMap((event) => (event === anyOptOut ? optOutTypes : event));
}

function readEvents(value: unknown) {
	const chosen = commaList(value);
	return triggerEvents.filter((type) => chosen.includes(type));
}

const events = withDefaultOnError(readEvents, {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	noDataExpression: true,
	options: triggerEventOptions,
	required: true,
	default: [],
	description: 'The events that start the workflow',
});

/**
 * Whether all selected events are statuses. If they are, Kudosity filters by status. If other events are selected, too,
 * the node filters by status instead.
 */
export function areStatusesAlone(types: readonly string[]): boolean {
	return types.every((type) => kindOf(type) === 'status');
}

const simplify = withDefaultOnError(trueOrFalse, { ...simplifyMessages.property, default: true });

const downloadMedia = switchWithDefaultOnError({
	displayName: 'Download Media',
	name: 'downloadMedia',
	default: true,
	description: 'Whether to output the pictures, audio and videos from a received MMS as files',
});

const skipOutdatedStatuses = switchWithDefaultOnError({
	displayName: 'Skip Outdated Statuses',
	name: 'skipOutdatedStatuses',
	description:
		'Whether to skip statuses that are repeated or late, such as Sent after Delivered. Some may still come through, e.g. after a restart.',
});

const outputFieldPrefix = withDefaultOnError(optional(trimmedText), {
	displayName: 'Output Field Prefix',
	name: 'outputFieldPrefix',
	type: 'string',
	default: mediaPrefix,
	placeholder: 'e.g. media',
	description: 'Prefix of the output fields that hold the files, e.g. media0, media1',
});

const onlyFinalStatuses = switchWithDefaultOnError({
	displayName: 'Only Final Statuses',
	name: 'onlyFinalStatuses',
	description:
		'Whether to receive only final statuses such as Delivered or Failed, and skip others such as Queued or Sent. Recommended for large sends.',
});

const skipQuestionAnswers = switchWithDefaultOnError({
	displayName: 'Skip Answers to Questions',
	name: 'skipQuestionAnswers',
	description:
		'Whether to skip replies that a Send and Wait for Response node has already used, even in another n8n instance with the same API key',
});

function readKeywords(value: unknown): readonly string[] {
	const keywords = wordsWithSlashes(value);
	return keywords.some((keyword) => /[\p{L}\p{N}\p{S}]/u.test(keyword)) ? keywords : usualKeywords;
}

const optOutKeywords = shownWhen(
	{ '/events': [anyOptOut] },
	field(
		(value) => {
			const read = settleNow(() => readKeywords(value));
			return read.status === 'fulfilled' ? read.value : usualKeywords;
		},
		{
			displayName: 'Opt-Out Keywords',
			name: 'optOutKeywords',
			type: 'string',
			default: usualKeywords.join(', '),
			placeholder: 'e.g. STOP, UNSUBSCRIBE, OPTOUT',
			description:
				'Comma-separated messages that count as opt-outs. Remove words that you ask people to send, e.g. CANCEL. STOP always counts.',
		},
	),
);

const outputs = withDefaultOnError(oneOf(['single', 'byEvent']), {
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
	description:
		'Whether to use separate outputs for replies, opt-outs, delivery, clicks and other events. A STOP sent by SMS goes to two of these outputs.',
});

const sharedRateLimit = field(rateLimit.read, {
	...rateLimit.property,
	description: 'Max number of events Kudosity sends to this workflow per second. 0 means no limit.',
});

/** Makes a collection read any value that isn't an object as an empty collection. */
const emptyUnlessObject = <const Name extends string, Value>({
	property,
	read,
}: Field<Name, Value>): Field<Name, Value> =>
	field((value, scope) => read(isJson(value) ? value : {}, scope), property);

/** Creates the collection Options with only the given fields. */
const options = <const Fields extends readonly Field[]>(...fields: Fields) =>
	emptyUnlessObject(strictOptions(...fields));

const statusFilter = emptyUnlessObject(
	strictFilters(withDefaultOnError(anyOf(filterStatuses), { ...status.property, default: [] })),
);

const ofDelivery = [
	downloadMedia,
	skipOutdatedStatuses,
	outputFieldPrefix,
	onlyFinalStatuses,
	optOutKeywords,
	outputs,
	skipQuestionAnswers,
];

/** The fields that are needed to handle a delivery. Reading them never throws. */
export const deliveryFields = [events, simplify, statusFilter, options(...ofDelivery)];

export type DeliveryParameters = InputOf<typeof deliveryFields>;

/**
 * The fields that determine the webhook. Invalid filters and rate limits are refused, because if they were ignored,
 * Kudosity would send too many events.
 */
export const webhookFields = [events, webhookFilters, options(onlyFinalStatuses, sharedRateLimit)];

/** All fields, in the order of the panel. */
export const fields = [events, simplify, webhookFilters, options(...ofDelivery, sharedRateLimit)];

type Context = IHookFunctions | IWebhookFunctions;

/**
 * Evaluates a field. During a delivery, an expression that fails counts as an empty field, because the event would
 * otherwise be lost.
 */
function valueOf(context: Context, name: string): unknown {
	const evaluate = () => context.getNodeParameter(name, undefined);
	if (!('getRequestObject' in context)) return evaluate();
	const evaluated = settleNow(evaluate);
	if (evaluated.status === 'fulfilled') return evaluated.value;
	context.logger.warn(
		`n8n could not evaluate '${name}' in a Kudosity Trigger, so its default is used`,
	);
	return undefined;
}

/** Reads only the given fields, because looking one up in n8n is slow. `scope` only matters for the webhook fields. */
export function readParameters<const Fields extends readonly Field[]>(
	context: Context,
	fields: Fields,
	scope: ReadContext = { timeZone: 'UTC' },
): InputOf<Fields> {
	const names = fields.map(({ property }) => property.name);
	const values = names.map((name) => [name, valueOf(context, name)]);
	return readFields(fields, Object.fromEntries(values), scope);
}
