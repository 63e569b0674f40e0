import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { type ContactList, getLists } from '../api/endpoints/list';
import { getNumbers } from '../api/endpoints/number';
import { getRcsMessages } from '../api/endpoints/rcs';
import { getRegistrations } from '../api/endpoints/sender';
import { getSmses } from '../api/endpoints/sms';
import { fieldsOf, getWebhooks, hasId, type Webhook } from '../api/endpoints/webhook';
import { getWhatsappMessages } from '../api/endpoints/whatsapp';
import { mapRecords } from '../api/pagination';
import type { Service } from '../api/service';
import { withHiddenToken } from '../events/tokens';
import { toArray } from '../lib/async';
import { toNodeError } from '../n8n/nodeErrors';
import { createNodeService } from '../n8n/services';

type Option = INodeListSearchResult['results'][number];

/**
 * A search in a drop-down list. `wanted` is the user's search text, trimmed and in lower case. `resource` is the value
 * of the Resource field.
 */
type Search = { wanted: string; resource: unknown };

const listSearch = (find: (service: Service, search: Search) => Promise<Option[]>) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const search = {
			wanted: filter.trim().toLowerCase(),
			resource: this.getNodeParameter('resource', ''),
		};
		try {
			return { results: await find(createNodeService(this), search) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};

const sorted = (options: Option[]): Option[] =>
	options.sort((a, b) => a.name.localeCompare(b.name));

type SearchableWebhook = { id: string; name?: string; url?: string };

/**
 * Returns the webhook with the token in its URL hidden, because searches could otherwise reveal the token letter by
 * letter.
 */
const shown = (webhook: Webhook): SearchableWebhook =>
	withHiddenToken({ ...fieldsOf(webhook), id: webhook.id });

const matches = ({ id, name = '', url = '' }: SearchableWebhook, wanted: string): boolean =>
	[id, name, url].some((text) => text.toLowerCase().includes(wanted));

const toOption = ({ id, name, url }: SearchableWebhook): Option => ({
	name: [name || id, url].filter(Boolean).join(' – '),
	value: id,
});

/** Finds the account's webhooks whose name, URL or ID contains the search text. */
export const searchWebhooks = listSearch(async ({ call }, { wanted }) => {
	const webhooks = (await call(getWebhooks)).filter(hasId).map(shown);
	return sorted(webhooks.filter((webhook) => matches(webhook, wanted)).map(toOption));
});

function toListOption({ id, name }: ContactList): Option {
	const value = String(id);
	return { name: typeof name === 'string' && name !== '' ? `${name} (${value})` : value, value };
}

/** Finds the account's contact lists whose name or ID contains the search text. */
export const searchLists = listSearch(async ({ list }, { wanted }) => {
	const lists = await toArray(list(getLists));
	const options = lists.filter(({ id }) => textOrNone(id)).map(toListOption);
	return sorted(options.filter(({ name }) => name.toLowerCase().includes(wanted)));
});

const namedLikeItsValue = (text: string): Option => ({ name: text, value: text });

const textsAmong = async (values: AsyncIterable<unknown>): Promise<string[]> =>
	(await toArray(values)).map((value) => textOrNone(value) ?? '').filter(Boolean);

/** Returns the values that contain the digits of the search text, or the whole text if it has no digits. */
async function numbersAmong(values: AsyncIterable<unknown>, wanted: string): Promise<Option[]> {
	const part = wanted.replace(/\D/g, '') || wanted;
	const texts = await textsAmong(values);
	return texts.filter((text) => text.toLowerCase().includes(part)).map(namedLikeItsValue);
}

export const searchNumbers = listSearch(async ({ list }, { wanted }) => {
	const leased = mapRecords(list(getNumbers, { filter: 'owned' }), ({ number }) => number);
	return await numbersAmong(leased, wanted);
});

export const searchRegisteredNumbers = listSearch(async ({ list }, { wanted }) => {
	const verified = list(getRegistrations, { status: 'VERIFIED' });
	const senders = mapRecords(verified, ({ sender }) => sender);
	return (await numbersAmong(senders, wanted)).filter(({ name }) => /^\d+$/.test(name));
});

type Records = AsyncIterable<Record<string, unknown>>;

const maxMessages = 100;

/**
 * Returns the lists of records in which senders are looked up. v2 can't list leased numbers or agents, so recent
 * messages are searched.
 */
function sourcesOf({ list }: Service, resource: unknown): Records[] {
	if (resource === 'rcs') return [list(getRcsMessages, {}, maxMessages)];
	if (resource === 'whatsapp') return [list(getWhatsappMessages, {}, maxMessages)];
	const sent = { direction: 'OUT', order_by: 'CREATED_AT_DESC' };
	return [list(getRegistrations, { status: 'VERIFIED' }), list(getSmses, sent, maxMessages)];
}

const sendersOf = async (records: Records): Promise<string[]> =>
	await textsAmong(mapRecords(records, ({ sender }) => sender));

/**
 * Finds senders that contain the search text. Searches the resource's latest messages and, for SMS and MMS, the
 * verified registrations.
 */
export const searchSenders = listSearch(async (service, { wanted, resource }) => {
	const found = await Promise.allSettled(sourcesOf(service, resource).map(sendersOf));
	const known = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
	const [failed] = found.filter((each) => each.status === 'rejected');
	// The account may lack access to one of the sources, so the search only fails if all of them do.
	if (known.length === 0) throw failed?.reason;
	const senders = [...new Set(known.flat())].filter((each) => each.toLowerCase().includes(wanted));
	return senders.map(namedLikeItsValue);
});
