import { z } from 'zod/v4';
import { withHiddenToken } from '../../api/hiddenToken';
import { anyOf } from '../../api/schemas/recordInput.schema';
import { eventTypes as knownEventTypes } from '../../api/schemas/webhook.schema';
import { newWebhookName, newWebhookUrl } from '../../api/schemas/webhookInput.schema';
import { changedSettings } from '../../api/webhookSettings';
import { defineOperation } from '../../runtime/operation';
import { eventOptions } from '../../trigger/events';
import { filtersField, filtersInput } from '../../trigger/filters';
import {
	webhookIdField,
	webhookIdInput,
	webhookOptionsField,
	webhookOptionsInput,
} from './webhookFields';

/** GET and PUT /v2/webhook/{id}: the service replaces the whole record, so the rest is read and kept. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update webhook',
	description: 'Change a webhook. What you leave empty stays as it is.',
	properties: [
		webhookIdField,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Order events',
			description: '2 to 100 characters. Leave empty to keep the name.',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/events',
			description:
				'The public https address that takes the events. Leave empty to keep the address.',
			hint: 'It must begin with https:// and be open to the internet',
		},
		{
			displayName: 'Event Types',
			name: 'eventTypes',
			type: 'multiOptions',
			options: eventOptions,
			default: [],
			description: 'Which events to deliver. Leave empty to keep them.',
		},
		{
			...filtersField,
			description:
				'Each filter that you add replaces the one of the webhook; without values it is removed. Others stay.',
		},
		webhookOptionsField,
	],
	input: z.object({
		webhookId: webhookIdInput,
		name: newWebhookName,
		url: newWebhookUrl,
		eventTypes: anyOf(knownEventTypes),
		filters: filtersInput,
		options: webhookOptionsInput,
	}),
	run: async ({ client }, { webhookId, options: { rateLimit }, ...changes }) => {
		const webhook = await client.webhooks.get(webhookId);
		const settings = changedSettings(webhook, { ...changes, rateLimit });
		return withHiddenToken(await client.webhooks.replace(webhookId, settings, changes.url));
	},
});
