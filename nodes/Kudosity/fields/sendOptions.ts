import { defaultRequestsPerSecond } from '../api/rateLimiter';
import { defaultCountry } from './account';
import { allowedRecipients } from './allowedRecipients';
import { options } from './collections';
import { field, type Field, type Input, type InputOf, required } from './field';
import { smartEncoding } from './smartEncoding';
import { optionalOneOf, numberFrom, optional, trueOrFalse, wholeNumber } from './readers';

/** Guards against accidental cost; users can raise it. */
export const defaultMaxParts = 8;

/** Anything slower than one request in 10 s is probably a mistake. */
const minRequestsPerSecond = 0.1;

export const maxParts = field(
	{
		displayName: 'Max Parts',
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
			{ name: 'In the Editor', value: 'manual' },
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

const maxPerRecipient = field(
	{
		displayName: 'Max per Recipient',
		name: 'maxPerRecipient',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: maxPerRecipientLimit, numberPrecision: 0 },
		default: 1,
		description:
			'Refuses more messages than this to one phone number on one day, over all executions of this node. A day begins at midnight in the time zone of the workflow. n8n keeps the newest 10,000 messages.',
	},
	wholeNumber({ min: 1, max: maxPerRecipientLimit }),
);

export const lookUpUnknown = field(
	{
		displayName: 'Look Up When Outcome Is Unknown',
		name: 'lookUpUnknown',
		type: 'boolean',
		default: true,
		description:
			'Whether to look for a message in Kudosity that was sent without an answer (time-out, broken connection, or a fault of the service), for 150 seconds at most. When it is found, the item is a success. Messages without a Message Reference get one for this, such as n8n-67e3e4af-62e8-4515-8b67-6f20d0c51ffb.',
	},
	trueOrFalse,
);

const repeatUnknown = field(
	{
		displayName: 'Repeat When Outcome Is Unknown',
		name: 'repeatUnknown',
		type: 'boolean',
		default: false,
		description:
			'Whether Retry On Fail sends a message again when nobody knows if it was accepted (no answer, or a fault of the service). Risk: the recipient can get it twice, and you pay twice.',
	},
	trueOrFalse,
);

const requestsPerSecond = field(
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: minRequestsPerSecond, numberPrecision: 1 },
		default: defaultRequestsPerSecond,
		description:
			'The most requests that this node starts each second. All Kudosity nodes that use this account take turns and together start at most 14, or as many as the fastest of them is set to: lower it when other programs use the account too, and raise it when Kudosity has raised the limit of 15 for your account.',
	},
	numberFrom(minRequestsPerSecond),
);

const sendOnceKey = field(
	{
		displayName: 'Send Once Key',
		name: 'sendOnceKey',
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

/** The options that limit who gets messages, and how many. */
export const guards = [
	required(allowedRecipients),
	required(maxPerExecution),
	required(maxPerRecipient),
] as const;

/** The options of every operation that sends. */
export const sendOptions = [
	...guards,
	required(dryRun),
	repeatUnknown,
	requestsPerSecond,
	sendOnceKey,
] as const;

export type SendOptions = Partial<
	InputOf<
		readonly [
			...typeof sendOptions,
			typeof maxParts,
			typeof lookUpUnknown,
			typeof skipDuplicates,
			typeof smartEncoding,
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
	takesPhoneNumbers(declared) &&
	!declared.fields.some(({ property: { name } }) => ['country', 'defaultCountry'].includes(name));

/** An option, and which operations have it. */
type General = [option: Field, isOf: (declared: Declared) => unknown];

const sendsSms = ({ sends }: Declared): unknown => sends?.text ?? sends?.fallback;

const generalOptions: General[] = [
	[defaultCountry, offersDefaultCountry],
	...sendOptions.map((option): General => [option, ({ sends }) => sends]),
	[required(maxParts), sendsSms],
	[smartEncoding, sendsSms],
	[lookUpUnknown, ({ sends }) => sends?.lookUp],
	// A question goes to one person per run. A batch offers the option itself, where it sends to numbers.
	[required(skipDuplicates), ({ sends, asks, batch }) => sends && !asks && !batch],
];

/** The fields of an operation, plus the general options that apply to it. */
export const withGeneralOptions = (declared: Declared): readonly Field[] => {
	const general = generalOptions.filter(([, isOf]) => isOf(declared)).map(([option]) => option);
	if (general.length === 0) return declared.fields;
	const isOptions = ({ property }: Field) => property.name === 'options';
	const own = declared.fields.find(isOptions)?.fields ?? [];
	return [...declared.fields.filter((field) => !isOptions(field)), options(...own, ...general)];
};

/** Operations that do not send have none. */
export const sendOptionsOf = ({ options }: Input): SendOptions => options ?? {};

const generalNames = new Set(generalOptions.map(([{ property }]) => property.name));

/** The values that make up the request, without the options that only say how to send it. */
export const withoutGeneralOptions = ({ options, ...values }: Input): Input => {
	const own = Object.entries(options ?? {}).filter(([name]) => !generalNames.has(name));
	return { ...values, options: Object.fromEntries(own) };
};
