import { InputError } from '../../api/errors';
import { v1Time } from '../../api/v1Time';
import { checkDateOrder } from '../../fields/dateOrder';
import { endInZone, inZone } from '../../fields/dateTexts';
import { field, type InputOf } from '../../fields/field';
import { maybePhoneField } from '../../fields/recipient';
import { trueOrFalse } from '../../fields/readers/number';
import { instant } from '../../fields/readers/time';

const contact = maybePhoneField({
	displayName: 'Contact',
	name: 'contact',
	type: 'string',
	default: '',
	placeholder: 'e.g. 61491570006',
	description: 'Only replies from this phone number',
});

const endDate = field(
	{
		displayName: 'End Date',
		name: 'endDate',
		type: 'dateTime',
		default: '',
		description: `Only replies that arrived at or before this time. ${endInZone}.`,
	},
	instant,
);

const includeOriginal = field(
	{
		displayName: 'Include Original',
		name: 'includeOriginal',
		type: 'boolean',
		default: true,
		description: 'Whether to add the text of the message that was replied to, as original_message',
	},
	trueOrFalse,
);

const startDate = field(
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		description: `Only replies that arrived at or after this time, at most 12 months ago. Without dates, you get the last 30 days. ${inZone}.`,
	},
	instant,
);

export const replyFilters = [contact, endDate, includeOriginal, startDate] as const;

const dayMs = 24 * 60 * 60 * 1000;
/** A leap year: twelve months can have as many days. n8n needs a moment from “twelve months ago” to here. */
const longestMs = 366 * dayMs + 60_000;

const checkStart = (start: number | undefined, now: number): void => {
	if (start === undefined || now - start <= longestMs) return;
	throw new InputError(
		"'Filters > Start Date' is more than 12 months ago",
		'Choose a later date: Kudosity gives the replies of the last 12 months',
	);
};

const asTime = (at: number | undefined) => (at === undefined ? undefined : v1Time(at));

/**
 * What the service is asked for with these filters.
 *
 * @throws InputError before any request
 */
export const replyQueryOf = (
	{ contact, startDate, endDate, includeOriginal }: InputOf<typeof replyFilters>,
	now: number,
) => {
	// The service would put its own period before an end date alone.
	if (startDate === undefined && endDate !== undefined) {
		throw new InputError("'Filters > Start Date' is empty", 'An end date needs a start date');
	}
	checkDateOrder({ startDate, endDate });
	checkStart(startDate, now);
	return {
		msisdn: contact,
		start: asTime(startDate),
		end: asTime(endDate),
		include_original: includeOriginal,
	};
};
