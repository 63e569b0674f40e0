import { z } from 'zod/v4';
import { read, remove, replace, send } from '../endpoint';
import { wholeList } from '../lists';
import { textOrNone } from '../schemas/common.schema';
import { listedWebhookSchema, webhookSchema } from '../schemas/webhook.schema';

const connection = 'key';
const collection = '/v2/webhook';
const one = `${collection}/{id}`;

/** All webhooks of the account, odd ones as they came; the list is `{}` when there are none. */
export const getWebhooks = wholeList({
	connection,
	path: collection,
	records: 'webhooks',
	record: () => listedWebhookSchema,
	identify: ({ id }) => textOrNone(id),
});

export const getWebhook = read({ connection, path: one, answer: () => webhookSchema });

/** A second one would deliver every event twice. */
export const createWebhook = send({ connection, path: collection, answer: () => webhookSchema });

/** The whole record: what is left out goes back to the service's default. */
export const replaceWebhook = replace({ connection, path: one, answer: () => webhookSchema });

/** The status says it all. */
export const deleteWebhook = remove({ connection, path: one, answer: () => z.looseObject({}) });
