import { getWebhook, replaceWebhook } from '../../api/endpoints/webhook';
import { withHiddenToken } from '../../events/hiddenToken';
import { eventTypes as knownEventTypes } from '../../api/schemas/webhook.schema';
import { changedSettings } from '../../api/webhookSettings';
import { options } from '../../fields/collection';
import { eventOptions } from '../../fields/eventOptions';
import { field } from '../../fields/field';
import { webhookUrl } from '../../fields/readers/address';
import { anyOf } from '../../fields/readers/choice';
import { optional, textOfLength } from '../../fields/readers/text';
import { changedFilters } from '../../fields/webhookFilters';
import { defineOperation } from '../../runtime/operation';
import { onePerName } from '../../sending/onePerName';
import { rateLimit } from '../../fields/rateLimit';
import { webhookId } from './webhookId';

const name = field(
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Order events',
		description: '2 to 100 characters. Leave empty to keep the name.',
	},
	optional(textOfLength({ min: 2, max: 100 })),
);

const url = field(
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/events',
		description: 'The public https address that takes the events. Leave empty to keep the address.',
		hint: 'It must begin with https:// and be open to the internet',
	},
	optional(webhookUrl),
);

const eventTypes = field(
	{
		displayName: 'Event Types',
		name: 'eventTypes',
		type: 'multiOptions',
		options: eventOptions,
		default: [],
		description: 'Which events to deliver. Leave empty to keep them.',
	},
	anyOf(knownEventTypes),
);

/** Items about one webhook take turns, so that none writes back what another one has changed. */
const perWebhook = onePerName();

/** GET and PUT /v2/webhook/{id}: the service replaces the whole record, so the rest is read and kept. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update webhook',
	description: 'Change a webhook. What you leave empty stays as it is.',
	fields: [webhookId, name, url, eventTypes, changedFilters, options(rateLimit)],
	run: async ({ call, clock }, { webhookId: id, options, ...changes }) =>
		await perWebhook(clock, id, async () => {
			const webhook = await call(getWebhook, { id });
			const settings = changedSettings(webhook, { ...changes, rateLimit: options.rateLimit });
			// An address that was read is written back, whatever it is; only a new one must be reachable.
			const replaced = await call(replaceWebhook, { id, ...settings }, { deliversTo: changes.url });
			return withHiddenToken(replaced);
		}),
});
