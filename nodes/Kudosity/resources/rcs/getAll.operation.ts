import { z } from 'zod/v4';
import { rcsPeriod } from '../../api/rcsPeriod';
import { rcsDateRanges } from '../../api/schemas/rcs.schema';
import { dateText } from '../../api/schemas/recordInput.schema';
import { limitOf, listingInputs, listingProperties } from '../../runtime/listing';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/rcs/messages: one item for each message, newest first. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many RCS messages',
	description:
		'List RCS messages with their status, newest first. FAILED may be what a webhook reports as REJECTED or UNDELIVERABLE.',
	properties: [
		...listingProperties,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Date Range',
					name: 'dateRange',
					type: 'options',
					options: [
						{ name: 'All (Last 365 Days)', value: 'all' },
						{ name: 'Custom', value: 'custom_date', description: 'From Start Date to End Date' },
						{ name: 'Last 30 Days', value: 'last_thirty' },
						{ name: 'Last Month', value: 'last_month' },
						{ name: 'Last Week', value: 'last_week' },
					],
					default: 'all',
					description:
						'When the messages were created. Ranges count in the time zone of the account.',
				},
				{
					displayName: 'End Date',
					name: 'endDate',
					type: 'dateTime',
					default: '',
					description:
						'The end of a custom range, at most 90 days after Start Date. Without a zone it counts in the time zone of the workflow.',
				},
				{
					displayName: 'Start Date',
					name: 'startDate',
					type: 'dateTime',
					default: '',
					description:
						'The start of a custom range. Without a zone it counts in the time zone of the workflow.',
				},
			],
		},
	],
	input: z.object({
		...listingInputs,
		filters: z.object({
			dateRange: z.enum(rcsDateRanges).optional(),
			endDate: dateText,
			startDate: dateText,
		}),
	}),
	run: ({ client, timeZone }, { filters, ...listing }) =>
		client.rcs.iterate({ period: rcsPeriod(filters, timeZone), limit: limitOf(listing) }),
});
