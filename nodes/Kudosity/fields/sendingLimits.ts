import { allowedRecipients } from './allowedRecipients';
import { blockedRecipients } from './blockedRecipients';
import { switchField } from './collections';
import { field, type Read, required, takingPhones } from './field';
import { phonesOf, trueOrFalse, wholeNumber } from './readers';
import type { Covers } from './recipientList';

/** The default of Max SMS Parts. It prevents accidental costs, and users can raise it. */
export const defaultMaxParts = 8;

type ShownLimit<Name extends string> = {
	displayName: string;
	name: Name;
	default: number;
	description: string;
};

function countLimit<const Name extends string>(shown: ShownLimit<Name>, max?: number) {
	return field(wholeNumber({ min: 1, max }), {
		...shown,
		type: 'number',
		typeOptions: { minValue: 1, ...(max !== undefined && { maxValue: max }), numberPrecision: 0 },
	});
}

export const maxParts = countLimit({
	displayName: 'Max SMS Parts',
	name: 'maxParts',
	default: defaultMaxParts,
	description: `Refuse messages that need more SMS parts than this. Each part is charged. Defaults to ${defaultMaxParts}.`,
});

const maxPerExecution = countLimit({
	displayName: 'Max per Execution',
	name: 'maxPerExecution',
	default: 100,
	description: 'Max number of messages per execution, across all items, loops and AI agent calls',
});

/**
 * The highest Max per Day. n8n's store has room for this many messages, each with one entry for the day and one for the
 * recipient.
 */
const maxPerDayLimit = 5_000;

const maxPerDay = countLimit(
	{
		displayName: 'Max per Day',
		name: 'maxPerDay',
		default: 1000,
		description:
			"Max number of messages that this node sends per day, across all recipients. Days start at midnight in the workflow's time zone.",
	},
	maxPerDayLimit,
);

/** The highest Max per Recipient per Day. Each message takes an entry in the node's n8n store. */
const maxPerRecipientLimit = 100;

const maxPerRecipientPerDay = countLimit(
	{
		displayName: 'Max per Recipient per Day',
		name: 'maxPerRecipientPerDay',
		default: 1,
		description:
			"Max number of messages to one phone number per day, across all executions of this node. Days start at midnight in the workflow's time zone.",
	},
	maxPerRecipientLimit,
);

export const allowEmptyList = switchField({
	displayName: 'Allow Empty List',
	name: 'allowEmptyList',
	default: true,
	description:
		'Whether to send messages even if Blocked Recipients is empty. Turn this on only if nobody has opted out yet.',
});

/** Reads Mobile Numbers Only: returns the check for landlines, or false if the switch is off. */
const readMobileOnly: Read<Covers | false | undefined> = (value, scope) =>
	trueOrFalse(value) && phonesOf(scope).isLandline;

const mobileOnly = field(takingPhones(readMobileOnly), {
	displayName: 'Mobile Numbers Only',
	name: 'mobileOnly',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip landlines. In countries where landline and mobile numbers look alike, such as the US, all count as mobiles.',
});

/** The limits that can't be applied to a contact list, because only Kudosity knows its numbers. */
export const recipientLimits = [
	required(allowedRecipients),
	required(blockedRecipients),
	required(mobileOnly),
	required(maxPerDay),
	required(maxPerExecution),
	required(maxPerRecipientPerDay),
] as const;
