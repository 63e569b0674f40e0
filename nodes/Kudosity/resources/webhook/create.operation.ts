import { z } from 'zod/v4';
import { withHiddenToken } from '../../api/hiddenToken';
import { someOf } from '../../api/schemas/recordInput.schema';
import { eventTypes as knownEventTypes } from '../../api/schemas/webhook.schema';
import { webhookName, webhookUrl } from '../../api/schemas/webhookInput.schema';
import { webhookFilter } from '../../api/webhookSettings';
import { defineOperation } from '../../runtime/operation';
import { eventOptions } from '../../trigger/events';
import { filtersField, filtersInput } from '../../trigger/filters';
import { webhookOptionsField, webhookOptionsInput } from './webhookFields';

/** POST /v2/webhook. Remembered like a send: a second one would deliver every event twice. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description:
		'Let Kudosity deliver events to an address. To start a workflow, use the Kudosity Trigger instead: it looks after its own webhook.',
	properties: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Order events',
			description: '2 to 100 characters. It comes back in every event.',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/events',
			description: 'The public https address that takes the events as POST with a JSON body',
			hint: 'It must begin with https:// and be open to the internet',
		},
		{
			displayName: 'Event Types',
			name: 'eventTypes',
			type: 'multiOptions',
			required: true,
			options: eventOptions,
			default: [],
			description: 'Which events to deliver',
		},
		filtersField,
		webhookOptionsField,
	],
	input: z.object({
		name: webhookName,
		url: webhookUrl,
		eventTypes: someOf(knownEventTypes),
		filters: filtersInput,
		options: webhookOptionsInput,
	}),
	run: async ({ client, sendOnce }, { name, url, eventTypes, filters, options }) => {
		const { rateLimit } = options;
		const request = { name, url, filter: webhookFilter(eventTypes, filters), rateLimit };
		return await sendOnce({ options: {}, request }, async () =>
			withHiddenToken(await client.webhooks.create(request)),
		);
	},
});
