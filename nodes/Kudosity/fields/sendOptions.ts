import { defaultRequestsPerSecond } from '../api/rateLimiter';
import { byName } from '../lib/text';
import { defaultCountry } from './account';
import { allowedRecipients } from './allowedRecipients';
import { options, sendingLimits } from './collections';
import { field, type Field, type Input, type InputOf, required } from './field';
import { smartEncoding } from './smartEncoding';
import { optionalOneOf, numberFrom, optional, trueOrFalse, wholeNumber } from './readers';

/** Guards against accidental cost; users can raise it. */
export const defaultMaxParts = 8;

/** Anything slower than one request in 10 s is probably a mistake. */
const minRequestsPerSecond = 0.1;

export const maxParts = field(
	{
		displayName: 'Max SMS Parts',
		name: 'maxParts',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: defaultMaxParts,
		description: `Refuses a message that would be sent, and charged, as more than this many SMS; without the option, as more than ${defaultMaxParts}. Counted from the message as given: tracked links and opt-out placeholders change their length when the service fills them in.`,
	},
	wholeNumber({ min: 1 }),
);

const dryRunModes = ['never', 'manual', 'always'] as const;

const dryRun = field(
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'options',
		options: [
			{ name: 'Always', value: 'always' },
			{ name: 'In Manual Executions', value: 'manual' },
			{ name: 'Never', value: 'never' },
		],
		default: 'never',
		description:
			'Whether to check everything and output what would be sent, to whom and in how many parts, without sending it: always, or in executions that are started in the editor, evaluations included. Retry in the executions list, and a workflow that another one calls, do send then.',
	},
	optionalOneOf(dryRunModes),
);

const maxPerExecution = field(
	{
		displayName: 'Max per Execution',
		name: 'maxPerExecution',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100,
		description:
			'Refuses more messages than this in one execution, over all items, loops and calls of an AI agent. Each recipient counts as one message.',
	},
	wholeNumber({ min: 1 }),
);

/** Each message takes an entry in n8n's store, and entries are tried one by one. */
const maxPerRecipientLimit = 100;

const maxPerRecipientPerDay = field(
	{
		displayName: 'Max per Recipient per Day',
		name: 'maxPerRecipientPerDay',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: maxPerRecipientLimit, numberPrecision: 0 },
		default: 1,
		description:
			'Refuses more messages than this to one phone number on one day, over all executions of this node. A day begins at midnight in the time zone of the workflow. n8n keeps the newest 10,000 messages.',
	},
	wholeNumber({ min: 1, max: maxPerRecipientLimit }),
);

const outcomeActions = {
	check: {
		name: 'Check, Then Fail',
		value: 'check',
		description:
			'Look for the message in Kudosity for up to 150 seconds. If it is found, the item succeeds.',
	},
	fail: { name: 'Fail', value: 'fail', description: 'Do not look, and never send it again' },
	repeat: {
		name: 'Allow Sending Again on Retry',
		value: 'repeat',
		description:
			'Let Retry On Fail send it again. The recipient may get it twice, and you pay twice.',
	},
} as const;

type OutcomeAction = keyof typeof outcomeActions;

/** The first one is the default. */
const onOutcomeUnknown = (...actions: [OutcomeAction, ...OutcomeAction[]]) =>
	field(
		{
			displayName: 'If Outcome Is Unknown',
			name: 'onOutcomeUnknown',
			type: 'options',
			options: actions.map((action) => outcomeActions[action]).sort(byName),
			default: actions[0],
			description:
				'What to do when Kudosity did not confirm a message: after a time-out, a broken connection or a fault of the service',
		},
		optionalOneOf(actions),
	);

const onOutcomeUnknownWithCheck = onOutcomeUnknown('check', 'fail', 'repeat');
const onOutcomeUnknownWithoutCheck = onOutcomeUnknown('fail', 'repeat');

const requestsPerSecond = field(
	{
		displayName: 'Max Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: minRequestsPerSecond, numberPrecision: 1 },
		default: defaultRequestsPerSecond,
		description:
			'The most requests that this node starts each second. All Kudosity nodes that use this account take turns and together start at most 14, or as many as the fastest of them is set to: lower it when other programs use the account too, and raise it when Kudosity has raised the limit of 15 for your account.',
	},
	numberFrom(minRequestsPerSecond),
);

const deduplicationKey = field(
	{
		displayName: 'Deduplication Key',
		name: 'deduplicationKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-sale-{{ $json.cleaned.number }}',
		description:
			"Sends at most one message for each value in this workflow, also in later executions. Begin with the campaign's name, or the next campaign would skip everybody. An item whose key was used before is skipped. n8n keeps the newest 10,000 keys. Leave empty to switch off.",
	},
	optional((key) => key.trim()),
);

export const skipDuplicates = field(
	{
		displayName: 'Skip Duplicate Numbers',
		name: 'skipDuplicates',
		type: 'boolean',
		default: true,
		description:
			'Whether to send at most one message to each number within one execution of the workflow, over all rounds of a loop. Further items with the number are skipped. Not where one number stands for several people, such as a family or an office.',
	},
	trueOrFalse,
);

/** The limits that a contact list cannot be held to. */
export const recipientLimits = [
	required(allowedRecipients),
	required(maxPerExecution),
	required(maxPerRecipientPerDay),
] as const;

const sendOptions = [required(dryRun), deduplicationKey] as const;

const limits = [...recipientLimits, required(maxParts), requestsPerSecond] as const;

export type SendOptions = Partial<
	InputOf<
		readonly [
			...typeof sendOptions,
			...typeof limits,
			typeof onOutcomeUnknownWithCheck,
			typeof skipDuplicates,
		]
	>
>;

type Declared = {
	fields: readonly Field[];
	sends?: { text?: unknown; fallback?: unknown; lookUp?: unknown };
	asks?: unknown;
	batch?: unknown;
};

export const takesPhoneNumbers = ({ fields }: { fields: readonly Field[] }): boolean =>
	fields.some((field) => field.takesPhoneNumbers);

/** Not if a field of the operation itself sets the country. */
const offersDefaultCountry = (declared: Declared): boolean =>
	declared.sends !== undefined &&
	takesPhoneNumbers(declared) &&
	!declared.fields.some(({ property: { name } }) => ['country', 'defaultCountry'].includes(name));

/** A field, and which operations have it. */
type General = [field: Field, isOf: (declared: Declared) => unknown];

const sendsSms = ({ sends }: Declared): unknown => sends?.text ?? sends?.fallback;

const generalOptions: General[] = [
	[defaultCountry, offersDefaultCountry],
	...sendOptions.map((option): General => [option, ({ sends }) => sends]),
	[smartEncoding, sendsSms],
	[onOutcomeUnknownWithCheck, ({ sends }) => sends?.lookUp],
	[onOutcomeUnknownWithoutCheck, ({ sends }) => sends && !sends.lookUp],
	// A question goes to one person per run. A batch offers the option itself, where it sends to numbers.
	[required(skipDuplicates), ({ sends, asks, batch }) => sends && !asks && !batch],
];

const generalLimits: General[] = [
	...recipientLimits.map((limit): General => [limit, ({ sends }) => sends]),
	[required(maxParts), sendsSms],
	[requestsPerSecond, ({ sends }) => sends],
];

const those = (general: General[], declared: Declared): Field[] =>
	general.filter(([, isOf]) => isOf(declared)).map(([field]) => field);

/** The fields of an operation, plus the general options and limits that apply to it. */
export const withGeneralOptions = (declared: Declared): readonly Field[] => {
	if (!declared.sends) return declared.fields;
	const isOptions = ({ property }: Field) => property.name === 'options';
	const own = declared.fields.find(isOptions)?.fields ?? [];
	return [
		...declared.fields.filter((field) => !isOptions(field)),
		options(...own, ...those(generalOptions, declared)),
		sendingLimits(...those(generalLimits, declared)),
	];
};

/** The limits among the options, where everything that follows looks for them. */
export const withLimitsAmongOptions = ({ limits, ...values }: Input): Input =>
	limits === undefined ? values : { ...values, options: Object.assign({}, values.options, limits) };

/** Operations that do not send have none. */
export const sendOptionsOf = ({ options }: Input): SendOptions => options ?? {};

const generalNames = new Set(
	[...generalOptions, ...generalLimits].map(([{ property }]) => property.name),
);

/** The values that make up the request, without what only says how to send it. */
export const withoutGeneralOptions = ({ options, ...values }: Input): Input => {
	const own = Object.entries(options ?? {}).filter(([name]) => !generalNames.has(name));
	return { ...values, options: Object.fromEntries(own) };
};
