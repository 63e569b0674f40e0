import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { anyOf, commaList, recordId, textList } from '../../api/schemas/recordInput.schema';
import { rateLimit } from '../../api/schemas/webhookInput.schema';
import { filterStatuses } from '../../trigger/statuses';
import { statusOptions } from '../../trigger/statusOptions';

export const webhookIdField: INodeProperties = {
	displayName: 'Webhook',
	name: 'webhookId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a webhook...',
			typeOptions: { searchListMethod: 'searchWebhooks', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 67e3e4af-62e8-4515-8b67-6f20d0c51ffb',
		},
	],
	description:
		'A webhook of the account. Webhooks of other programs that use the account show up as well.',
};

export const webhookIdInput = recordId;

const textListField = (
	field: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): INodeProperties => ({
	...field,
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${field.displayName}` },
	default: [],
});

/** An event has to match every filter, and of each filter one value. */
export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description:
		'Only events that match every filter are delivered. Of one filter, any value matches.',
	options: [
		textListField({
			displayName: 'Campaign ID',
			name: 'campaignId',
			placeholder: 'e.g. summer-sale',
			description: 'Only events of messages from these campaigns',
		}),
		textListField({
			displayName: 'Message Reference',
			name: 'messageRef',
			placeholder: 'e.g. order-1234',
			description: 'Only events of messages that were sent with these references',
		}),
		textListField({
			displayName: 'Sender',
			name: 'sender',
			placeholder: 'e.g. 61491570006',
			description: 'Only events of these senders of the account: numbers, names or agents',
		}),
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: statusOptions,
			default: [],
			description: 'Only status events with these statuses',
		},
	],
};

/** A filter that is added but empty is removed by an update. */
export const filtersInput = z.object({
	campaignId: commaList.optional(),
	messageRef: textList.optional(),
	sender: commaList.optional(),
	status: anyOf(filterStatuses).optional(),
});

export const webhookOptionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Rate Limit',
			name: 'rateLimit',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10_000 },
			default: 0,
			description: 'Max number of events delivered each second. 0 leaves it to Kudosity.',
		},
	],
};

export const webhookOptionsInput = z.object({ rateLimit });
