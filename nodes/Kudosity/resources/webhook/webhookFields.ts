import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { commaList, recordId, textList } from '../../api/schemas/recordInput.schema';
import { rateLimit } from '../../api/schemas/webhookInput.schema';

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

export const eventTypeOptions: INodePropertyOptions[] = [
	{ name: 'Link Hit', value: 'LINK_HIT', description: 'A recipient opened a tracked link' },
	{ name: 'MMS Inbound', value: 'MMS_INBOUND', description: 'An MMS arrived' },
	{ name: 'MMS Status', value: 'MMS_STATUS', description: 'The status of an MMS changed' },
	{ name: 'Opt Out', value: 'OPT_OUT', description: 'A recipient opted out' },
	{ name: 'RCS Inbound', value: 'RCS_INBOUND', description: 'A recipient answered by RCS' },
	{ name: 'RCS Status', value: 'RCS_STATUS', description: 'The status of an RCS message changed' },
	{ name: 'SMS Inbound', value: 'SMS_INBOUND', description: 'An SMS arrived' },
	{ name: 'SMS Status', value: 'SMS_STATUS', description: 'The status of an SMS changed' },
	{
		name: 'WhatsApp Inbound',
		value: 'WHATSAPP_INBOUND',
		description: 'A WhatsApp message arrived',
	},
	{
		name: 'WhatsApp Status',
		value: 'WHATSAPP_STATUS',
		description: 'The status of a WhatsApp message changed',
	},
];

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
		textListField({
			displayName: 'Status',
			name: 'status',
			placeholder: 'e.g. DELIVERED',
			description: 'Only status events with these statuses, e.g. DELIVERED or HARD_BOUNCE',
		}),
	],
};

/** A filter that is added but empty is removed by an update. */
export const filtersInput = z.object({
	campaignId: commaList.optional(),
	messageRef: textList.optional(),
	sender: commaList.optional(),
	status: commaList
		.transform((statuses) => statuses.map((status) => status.toUpperCase()))
		.optional(),
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
