import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { withoutToken } from '../api/hiddenToken';
import { getLists, type ContactList } from '../api/endpoints/list';
import { getNumbers } from '../api/endpoints/number';
import { getRegistrations } from '../api/endpoints/sender';
import { getWebhooks } from '../api/endpoints/webhook';
import { mapRecords } from '../api/pagination';
import { textOrNone } from '../api/schemas/common.schema';
import { fieldsOf, hasId, type Webhook } from '../api/schemas/webhook.schema';
import type { Service } from '../api/service';
import { createNodeService } from '../runtime/nodeService';
import { toNodeError } from '../runtime/toNodeError';

type Option = INodeListSearchResult['results'][number];

const searching = (find: (service: Service, filter: string) => Promise<Option[]>) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		try {
			return { results: await find(createNodeService(this), filter) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};

const sorted = (options: Option[]): Option[] =>
	options.sort((a, b) => a.name.localeCompare(b.name));

type Shown = { id: string; name?: string; url?: string };

const shown = (webhook: Webhook): Shown => ({ ...fieldsOf(webhook), id: webhook.id });

const matches = ({ id, name = '', url = '' }: Shown, filter: string): boolean =>
	[id, name, url].some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()));

const toOption = ({ id, name, url }: Shown): Option => ({
	name: [name || id, url && withoutToken(url)].filter(Boolean).join(' – '),
	value: id,
});

/** The webhooks of the account whose name, address or id contains `filter`. */
export const searchWebhooks = searching(async ({ call }, filter) => {
	const webhooks = (await call(getWebhooks)).filter(hasId).map(shown);
	return sorted(webhooks.filter((webhook) => matches(webhook, filter)).map(toOption));
});

const toListOption = ({ id, name }: ContactList): Option => {
	const value = String(id);
	return { name: typeof name === 'string' && name !== '' ? `${name} (${value})` : value, value };
};

/** The contact lists of the account whose name or id contains `filter`. */
export const searchLists = searching(async ({ list }, filter) => {
	const wanted = filter.trim().toLowerCase();
	const options: Option[] = [];
	for await (const each of list(getLists)) {
		const option = toListOption(each);
		const isWanted = option.name.toLowerCase().includes(wanted);
		if (isWanted && textOrNone(each.id)) options.push(option);
	}
	return sorted(options);
});

/** Those that contain the digits of `filter`. */
const numbersAmong = async (values: AsyncIterable<unknown>, filter: string): Promise<Option[]> => {
	const digits = filter.replace(/\D/g, '');
	const options: Option[] = [];
	for await (const value of values) {
		const isNumber = typeof value === 'string' && /^\d+$/.test(value);
		if (isNumber && value.includes(digits)) options.push({ name: value, value });
	}
	return options;
};

/** The leased numbers of the account. */
export const searchNumbers = searching(async ({ list }, filter) => {
	const leased = list(getNumbers, { filter: 'owned' });
	return await numbersAmong(
		mapRecords(leased, ({ number }) => number),
		filter,
	);
});

/** The account's own mobile numbers that are verified. */
export const searchRegisteredNumbers = searching(async ({ list }, filter) => {
	const verified = list(getRegistrations, { status: 'VERIFIED' });
	return await numbersAmong(
		mapRecords(verified, ({ sender }) => sender),
		filter,
	);
});
