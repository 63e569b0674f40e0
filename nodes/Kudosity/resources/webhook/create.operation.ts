import { createWebhook } from '../../api/endpoints/webhook';
import { withHiddenToken } from '../../events/hiddenToken';
import { eventTypes as knownEventTypes } from '../../api/schemas/webhook.schema';
import { webhookFilter } from '../../api/webhookSettings';
import { options } from '../../fields/collection';
import { eventOptions } from '../../fields/eventOptions';
import { field } from '../../fields/field';
import { webhookUrl } from '../../fields/readers/address';
import { someOf } from '../../fields/readers/choice';
import { textOfLength } from '../../fields/readers/text';
import { webhookFilters } from '../../fields/webhookFilters';
import { defineOperation } from '../../runtime/operation';
import { rateLimit } from '../../fields/rateLimit';

const name = field(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Order events',
		description: '2 to 100 characters. It comes back in every event.',
	},
	textOfLength({ min: 2, max: 100 }),
);

const url = field(
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
	webhookUrl,
);

const eventTypes = field(
	{
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: [],
		description: 'Which events to deliver',
	},
	someOf(knownEventTypes),
);

/** POST /v2/webhook. A second one would deliver every event twice. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description:
		'Have Kudosity deliver events to a URL. To start a workflow, use the Kudosity Trigger instead: it manages its own webhook.',
	fields: [name, url, eventTypes, webhookFilters, options(rateLimit)],
	once: true,
	run: async ({ call }, { name, url, eventTypes, filters, options }) => {
		const filter = webhookFilter(eventTypes, filters);
		const settings = { name, url, filter, rate_limit: options.rateLimit };
		return withHiddenToken(await call(createWebhook, settings, { deliversTo: url }));
	},
});
