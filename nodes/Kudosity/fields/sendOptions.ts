import { defaultRequestsPerSecond } from '../api/rateLimiter';
import { memoizeLast } from '../lib/async';
import { byName, normalizeUnicode } from '../lib/text';
import { defaultCountry } from './recordFields';
import { options, sendingLimits } from './collections';
import {
	field,
	type Field,
	type Input,
	type InputOf,
	required,
	shownWhen,
	textField,
} from './field';
import { outputField } from './outputField';
import { atMostLong, optionalOneOf, numberFrom, optional } from './readers';
import { sendingHours } from './sendingHours';
import { allowEmptyList, maxParts, recipientLimits } from './sendingLimits';
import { smartEncoding } from './smartEncoding';

/** The values of the Output field, which every send operation except a question shows above its Options. */
const outputModes = ['simplified', 'raw', 'itemResult'] as const;

export type OutputMode = (typeof outputModes)[number];

const output = field(optionalOneOf(outputModes), {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Raw', value: 'raw', description: "Kudosity's response" },
		{
			name: 'Result for Each Item',
			value: 'itemResult',
			description:
				'Every item with its own fields and its result, including items that were not sent',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The result and the ID of the message',
		},
	],
	default: 'simplified',
	description: 'What to output for each item',
});

/** The default name of the field that holds the result in Result for Each Item. */
export const defaultOutputField = 'result';

const resultField = shownWhen({ '/output': ['itemResult'] }, outputField(defaultOutputField));

const dryRun = field(optionalOneOf(['never', 'manual', 'always']), {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'options',
	options: [
		{ name: 'Always', value: 'always' },
		{ name: 'In Manual Executions', value: 'manual' },
		{ name: 'Never', value: 'never' },
	],
	// This value is preselected when the user adds the option. Without the option, messages are sent.
	default: 'manual',
	description:
		'When to only simulate sending: everything is checked and counted, but nothing is sent or charged',
});

const outcomeActions = {
	check: {
		name: 'Check, Then Fail',
		value: 'check',
		description:
			'Look for the message in Kudosity for up to 150 seconds, and fail if it is not found',
	},
	fail: {
		name: 'Fail Right Away',
		value: 'fail',
		description: "Don't look for the message, and never send it again",
	},
	repeat: {
		name: 'Allow Sending Again on Retry',
		value: 'repeat',
		description:
			'Retry On Fail may send the message again. The recipient may get it twice, and you may pay for it twice.',
	},
} as const;

type OutcomeAction = keyof typeof outcomeActions;

/** Creates the If Not Confirmed option with these actions. The first one is the default. */
function onOutcomeUnknown(...actions: [OutcomeAction, ...OutcomeAction[]]) {
	const [usual] = actions;
	return field(optionalOneOf(actions), {
		displayName: 'If Not Confirmed',
		name: 'onOutcomeUnknown',
		type: 'options',
		options: actions.map((action) => outcomeActions[action]).sort(byName),
		default: usual,
		description:
			'What to do if Kudosity did not confirm a message, e.g. after a timeout or a broken connection',
	});
}

const onOutcomeUnknownWithCheck = onOutcomeUnknown('check', 'fail', 'repeat');
const onOutcomeUnknownWithoutCheck = onOutcomeUnknown('fail', 'repeat');

/** A rate below one request per 10 s is probably a mistake. */
const minRequestsPerSecond = 0.1;

const requestsPerSecond = field(numberFrom(minRequestsPerSecond), {
	displayName: 'Max Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: minRequestsPerSecond, numberPrecision: 1 },
	default: defaultRequestsPerSecond,
	description:
		'Max number of requests per second. Defaults to 14 (Kudosity allows 15 per account). Lower this if other apps use the account.',
});

const deduplicationKey = textField(optional(normalizeUnicode), {
	displayName: 'Deduplication Key',
	name: 'deduplicationKey',
	placeholder: 'e.g. spring-sale-{{ $json.cleaned.number }}',
	description:
		"Skip the item if this workflow has already sent a message with this key. Include the campaign's name, or your next campaign will be skipped.",
});

const maxNameLength = 100;

const campaignName = textField(
	optional((text) => atMostLong(maxNameLength)(normalizeUnicode(text))),
	{
		displayName: 'Campaign Name',
		name: 'campaignName',
		placeholder: 'e.g. birthday-2027',
		description:
			'Send each person only one message per campaign, across executions. A shared number gets one message. Use a new name for each campaign.',
	},
);

const sendOptions = [
	required(campaignName),
	required(dryRun),
	required(deduplicationKey),
	requestsPerSecond,
] as const;

export type SendOptions = Partial<
	InputOf<
		readonly [
			...typeof sendOptions,
			typeof resultField,
			...typeof recipientLimits,
			typeof allowEmptyList,
			typeof maxParts,
			typeof sendingHours,
			typeof onOutcomeUnknownWithCheck,
		]
	>
>;

type Declared = {
	fields: readonly Field[];
	sends?: { text?: unknown; fallback?: unknown; lookUp?: unknown };
	asks?: unknown;
};

export function takesPhoneNumbers({ fields }: { fields: readonly Field[] }): boolean {
	return fields.some((field) => field.takesPhoneNumbers);
}

/** Whether an operation has the Default Country option. It doesn't if one of its own fields sets the country. */
const offersDefaultCountry = (declared: Declared): boolean =>
	declared.sends !== undefined &&
	takesPhoneNumbers(declared) &&
	!declared.fields.some(({ property: { name } }) => ['country', 'defaultCountry'].includes(name));

/** A field that many operations share, and the condition for an operation to have it. */
type General = [field: Field, isOf: (declared: Declared) => unknown];

const sendsSms = ({ sends }: Declared): unknown => sends?.text ?? sends?.fallback;

/** Whether an operation has the Output field. A question outputs the reply instead. */
const hasOutput = ({ sends, asks }: Declared): boolean => sends !== undefined && !asks;

const generalOptions: General[] = [
	[defaultCountry, offersDefaultCountry],
	...sendOptions.map((option): General => [option, ({ sends }) => sends]),
	[resultField, hasOutput],
	[smartEncoding, sendsSms],
	[onOutcomeUnknownWithCheck, ({ sends }) => sends?.lookUp],
	[onOutcomeUnknownWithoutCheck, ({ sends }) => sends && !sends.lookUp],
];

const generalLimits: General[] = [
	...recipientLimits.map((limit): General => [limit, ({ sends }) => sends]),
	[required(allowEmptyList), ({ sends }) => sends],
	[required(maxParts), sendsSms],
	[required(sendingHours), ({ sends }) => sends],
];

const generalFields = (general: General[], declared: Declared): Field[] =>
	general.filter(([, isOf]) => isOf(declared)).map(([field]) => field);

/** Returns the fields of an operation, with the general options and limits that apply to it. */
export function withGeneralOptions(declared: Declared): readonly Field[] {
	if (!declared.sends) return declared.fields;
	const isOptions = ({ property }: Field) => property.name === 'options';
	const own = declared.fields.find(isOptions)?.fields ?? [];
	return [
		...declared.fields.filter((field) => !isOptions(field)),
		...(hasOutput(declared) ? [output] : []),
		options(...own, ...generalFields(generalOptions, declared)),
		sendingLimits(...generalFields(generalLimits, declared)),
	];
}

/**
 * Creates a function that moves the limits into the options, where the rest of the code expects them. The function also
 * removes Output, which isn't part of the message.
 */
export function createLimitsMerge() {
	const merge = memoizeLast((...both: unknown[]) => Object.assign({}, ...both));
	return ({ limits, ...given }: Input): Input => {
		const values = { ...given };
		delete values.output;
		return limits === undefined ? values : { ...values, options: merge(values.options, limits) };
	};
}

/** Returns a send's general options. Operations that don't send have none. */
export function sendOptionsOf({ options }: Input): SendOptions {
	return options ?? {};
}

const generalNames = new Set(
	[...generalOptions, ...generalLimits].map(([{ property }]) => property.name),
);

/** Returns the values for the request itself, without the general options that only control how it is sent. */
export function withoutGeneralOptions({ options, ...values }: Input): Input {
	const own = Object.entries(options ?? {}).filter(([name]) => !generalNames.has(name));
	return { ...values, options: Object.fromEntries(own) };
}
