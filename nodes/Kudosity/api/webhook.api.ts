import { requestJson } from './request';
import {
	webhookDeletedSchema,
	webhookListSchema,
	webhookSchema,
	type Webhook,
	type WebhookFilter,
} from './schemas/webhook.schema';
import type { Transport } from './transport';

export type WebhookSettings = {
	/** 2 to 100 characters; comes back in every event as webhook_name. */
	name: string;
	url: string;
	/** Holds `event_type`: the single field of that name is deprecated. Left out: all events. */
	filter?: WebhookFilter;
	/** Deliveries per second, 0 to 10,000; 0 is the service's default. */
	rateLimit?: number;
};

const collection = '/v2/webhook';
const pathOf = (id: string) => `${collection}/${encodeURIComponent(id)}`;

const bodyOf = ({ name, url, filter, rateLimit }: WebhookSettings) => ({
	name,
	url,
	filter,
	...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
});

/** Webhooks belong to the account: every program that uses it sees all of them. */
export const createWebhookApi = (transport: Transport) => ({
	/** All webhooks of the account; the service does not page them. */
	list: async (): Promise<Webhook[]> => {
		const request = {
			connection: 'key',
			method: 'GET',
			path: collection,
			repeatable: true,
		} as const;
		const { webhooks } = await requestJson(transport, request, webhookListSchema);
		return webhooks ?? [];
	},

	get: async (id: string): Promise<Webhook> =>
		await requestJson(
			transport,
			{ connection: 'key', method: 'GET', path: pathOf(id), repeatable: true },
			webhookSchema,
		),

	/** Not repeatable: a second one would deliver every event twice. */
	create: async (settings: WebhookSettings): Promise<Webhook> =>
		await requestJson(
			transport,
			{
				connection: 'key',
				method: 'POST',
				path: collection,
				json: bodyOf(settings),
				deliversTo: settings.url,
				repeatable: false,
			},
			webhookSchema,
		),

	/**
	 * Replaces the whole record: what is left out goes back to the service's default. `newUrl` is the address
	 * when it is given anew; one that was read before is written back, whatever it is.
	 */
	replace: async (id: string, settings: WebhookSettings, newUrl?: string): Promise<Webhook> =>
		await requestJson(
			transport,
			{
				connection: 'key',
				method: 'PUT',
				path: pathOf(id),
				json: bodyOf(settings),
				deliversTo: newUrl,
				repeatable: true,
			},
			webhookSchema,
		),

	delete: async (id: string): Promise<void> => {
		await requestJson(
			transport,
			{ connection: 'key', method: 'DELETE', path: pathOf(id), repeatable: true },
			webhookDeletedSchema,
		);
	},
});
