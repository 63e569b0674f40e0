import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';
import { recordId } from '../../api/schemas/recordInput.schema';
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
