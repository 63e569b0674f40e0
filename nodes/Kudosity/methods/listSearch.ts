import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { withoutToken } from '../api/hiddenToken';
import type { Webhook } from '../api/schemas/webhook.schema';
import { createNodeClient } from '../runtime/nodeClient';
import { toNodeError } from '../runtime/toNodeError';

const matches = ({ id, name = '', url = '' }: Webhook, filter: string): boolean =>
	[id, name, url].some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()));

const toOption = ({ id, name, url }: Webhook) => ({
	name: [name || id, url && withoutToken(url)].filter(Boolean).join(' – '),
	value: id,
});

/** The webhooks of the account whose name, address or id contains `filter`. */
export const searchWebhooks = async function (
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	try {
		const webhooks = await createNodeClient(this).webhooks.list();
		const results = webhooks.filter((webhook) => matches(webhook, filter)).map(toOption);
		return { results: results.sort((a, b) => a.name.localeCompare(b.name)) };
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
};
