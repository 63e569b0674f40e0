import { allowedRecipients } from './allowedRecipients';
import { field, required } from './field';
import { wholeNumber } from './readers';

/** Guards against accidental cost; users can raise it. */
export const defaultMaxParts = 8;

export const maxParts = field(wholeNumber({ min: 1 }), {
	displayName: 'Max SMS Parts',
	name: 'maxParts',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: defaultMaxParts,
	description: `Refuse a message that takes more SMS than this. Each one is charged. Defaults to ${defaultMaxParts}.`,
});

const maxPerExecution = field(wholeNumber({ min: 1 }), {
	displayName: 'Max per Execution',
	name: 'maxPerExecution',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description: 'Max number of messages per execution, across all items, loops and AI agent calls',
});

/** Each message takes an entry in n8n's store, and entries are tried one by one. */
const maxPerRecipientLimit = 100;

const maxPerRecipientPerDay = field(wholeNumber({ min: 1, max: maxPerRecipientLimit }), {
	displayName: 'Max per Recipient per Day',
	name: 'maxPerRecipientPerDay',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: maxPerRecipientLimit, numberPrecision: 0 },
	default: 1,
	description:
		"Max number of messages to one phone number per day, across all executions of this node. Days follow the workflow's time zone.",
});

/** The limits that a contact list cannot be held to. */
export const recipientLimits = [
	required(allowedRecipients),
	required(maxPerExecution),
	required(maxPerRecipientPerDay),
] as const;
