import {
	changedSettings,
	createWebhook,
	deleteWebhook as deleteEndpoint,
	eventTypes as knownEventTypes,
	getWebhook,
	getWebhooks,
	replaceWebhook,
	webhookFilter,
} from '../api/endpoints/webhook';
import { mapRecords } from '../api/pagination';
import { withHiddenToken } from '../events/tokens';
import { webhookUrl } from '../fields/addresses';
import { options, resourceLocator } from '../fields/collections';
import { field, type Field, type Read, textField } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { anyOf, optional, recordId, someOf, textOfLength } from '../fields/readers';
import { changedFilters, eventOptions, rateLimit, webhookFilters } from '../fields/webhook';
import { keyedSemaphore } from '../lib/async';
import { defineOperation, type Resource } from '../fields/operation';
import { checkWebhookSetup } from './checkSetup';

const webhookId = resourceLocator(recordId, {
	displayName: 'Webhook',
	name: 'webhookId',
	noun: 'webhook',
	searchListMethod: 'searchWebhooks',
	placeholder: 'e.g. 67e3e4af-62e8-4515-8b67-6f20d0c51ffb',
	description: 'The webhook to use. The list includes webhooks created by other apps.',
});

const name = textField(textOfLength({ min: 2, max: 100 }), {
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. Order events',
	description: 'Name of the webhook, from 2 to 100 characters. Every event includes this name.',
});

const url = textField(webhookUrl, {
	displayName: 'URL',
	name: 'url',
	required: true,
	placeholder: 'e.g. https://example.com/events',
	description: 'Public HTTPS URL that receives the events (POST with JSON)',
});

const eventTypes = field(someOf(knownEventTypes), {
	displayName: 'Event Types',
	name: 'eventTypes',
	type: 'multiOptions',
	required: true,
	options: eventOptions,
	default: [],
	description: 'Which events to send',
});

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create webhook',
	description:
		'Create a webhook that sends events to a URL. To start a workflow, use the Kudosity Trigger instead.',
	fields: [name, url, eventTypes, webhookFilters, options(rateLimit)],
	once: true,
	run: async ({ call }, { name, url, eventTypes, filters, options }) => {
		const filter = webhookFilter(eventTypes, filters);
		const settings = { name, url, filter, rate_limit: options.rateLimit };
		return withHiddenToken(await call(createWebhook, settings, { deliversTo: url }));
	},
});

/** Adapts a field of Create for Update, where an empty field leaves the value unchanged. */
const unchangedIfEmpty = <const Name extends string, Value>(
	{ property }: Field<Name>,
	description: string,
	read: Read<Value>,
) => field(read, { ...property, required: undefined, description });

const newName = unchangedIfEmpty(
	name,
	'2 to 100 characters. Leave empty to keep the current name.',
	optional(name.read),
);

const newUrl = unchangedIfEmpty(
	url,
	'Public HTTPS URL that receives the events. Leave empty to keep the current one.',
	optional(url.read),
);

const newEventTypes = unchangedIfEmpty(
	eventTypes,
	'Which events to send. Leave empty to keep the current ones.',
	anyOf(knownEventTypes),
);

/** Runs updates of the same webhook one at a time, so none of them overwrites another's changes. */
const webhookMutex = keyedSemaphore(1).runUnlessCancelled;

/** Updates a webhook. The service replaces the whole record, so the current one is read first. */
export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update webhook',
	description:
		"Update a webhook. Fields you leave empty stay unchanged. Check first that no other app needs the webhook's current settings.",
	fields: [webhookId, newName, newUrl, newEventTypes, changedFilters, options(rateLimit)],
	run: async ({ call, clock }, { webhookId: id, options, ...changes }) =>
		await webhookMutex(clock, id, async () => {
			const webhook = await call(getWebhook, { id });
			const settings = changedSettings(webhook, { ...changes, rateLimit: options.rateLimit });
			// Only a new URL has to be reachable, because the current one is written back unchanged.
			const replaced = await call(replaceWebhook, { id, ...settings }, { deliversTo: changes.url });
			return withHiddenToken(replaced);
		}),
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get webhook',
	description: 'Get a webhook with its URL, event types and filters',
	fields: [webhookId],
	run: async ({ call }, { webhookId: id }) => withHiddenToken(await call(getWebhook, { id })),
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: "Get the account's webhooks, including those created by other apps",
	fields: listing,
	run: ({ list }, input) => mapRecords(list(getWebhooks, {}, readLimit(input)), withHiddenToken),
});

export const deleteWebhook = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete webhook',
	description: 'Delete a webhook permanently. Check first that no other app needs it.',
	fields: [webhookId],
	once: true,
	run: async ({ call }, { webhookId: id }) => {
		await call(deleteEndpoint, { id });
		return { deleted: true, id };
	},
});

export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook',
	description: 'Addresses that Kudosity sends events to',
	connection: 'key',
	operations: [create, deleteWebhook, get, getAll, update, checkWebhookSetup],
};
