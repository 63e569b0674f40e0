import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { anyOf, commaList, textList } from '../api/schemas/recordInput.schema';
import { senderList } from '../api/schemas/webhookInput.schema';
import { filterStatuses } from './statuses';
import { statusOptions } from './statusOptions';

const textListField = (
	field: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): INodeProperties => ({
	...field,
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${field.displayName}` },
	default: [],
});

/** What a webhook delivers beside its event types, for webhooks of the trigger and for those made by hand. */
export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description:
		'Kudosity only delivers events that match all of these. Of several values of one filter, any may match.',
	options: [
		textListField({
			displayName: 'Campaign ID',
			name: 'campaignId',
			placeholder: 'e.g. summer-sale',
			description:
				'Only events about messages of these campaigns. Several IDs can also be separated by commas.',
		}),
		textListField({
			displayName: 'Message Reference',
			name: 'messageRef',
			placeholder: 'e.g. order-1234',
			description:
				'Only events about messages that were sent with one of these references. Received messages match by the latest message that was sent to the same number.',
		}),
		textListField({
			displayName: 'Sender',
			name: 'sender',
			placeholder: 'e.g. 61491570006',
			description:
				'Only events about messages from these numbers, names or agents of your account, and messages received there. Several can also be separated by commas. Spaces, hyphens, dots, brackets and a leading + in numbers are fine.',
		}),
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: statusOptions,
			default: [],
			description: 'Only these statuses. It does not apply to events that are no status change.',
		},
	],
};

/** A filter that is added but empty is removed by an update. */
export const filtersInput = z.object({
	campaignId: commaList.optional(),
	messageRef: textList.optional(),
	sender: senderList.optional(),
	status: anyOf(filterStatuses).optional(),
});
