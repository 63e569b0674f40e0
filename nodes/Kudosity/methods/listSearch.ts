import { withHiddenToken } from '../events/hiddenToken';
import { getLists, type ContactList } from '../api/endpoints/list';
import { getNumbers } from '../api/endpoints/number';
import { getRegistrations } from '../api/endpoints/sender';
import { getWebhooks } from '../api/endpoints/webhook';
import { mapRecords } from '../api/pagination';
import { textOrNone } from '../api/schemas/common.schema';
import { fieldsOf, hasId, type Webhook } from '../api/schemas/webhook.schema';
import { searching, type Option } from './searching';

const sorted = (options: Option[]): Option[] =>
	options.sort((a, b) => a.name.localeCompare(b.name));

type Shown = { id: string; name?: string; url?: string };

/** Without tokens, also for the search: it would find out a token letter by letter. */
const shown = (webhook: Webhook): Shown =>
	withHiddenToken({ ...fieldsOf(webhook), id: webhook.id });

const matches = ({ id, name = '', url = '' }: Shown, wanted: string): boolean =>
	[id, name, url].some((text) => text.toLowerCase().includes(wanted));

const toOption = ({ id, name, url }: Shown): Option => ({
	name: [name || id, url].filter(Boolean).join(' – '),
	value: id,
});

/** The webhooks of the account whose name, address or id contains `filter`. */
export const searchWebhooks = searching(async ({ call }, { wanted }) => {
	const webhooks = (await call(getWebhooks)).filter(hasId).map(shown);
	return sorted(webhooks.filter((webhook) => matches(webhook, wanted)).map(toOption));
});

const toListOption = ({ id, name }: ContactList): Option => {
	const value = String(id);
	return { name: typeof name === 'string' && name !== '' ? `${name} (${value})` : value, value };
};

/** The contact lists of the account whose name or id contains `filter`. */
export const searchLists = searching(async ({ list }, { wanted }) => {
	const options: Option[] = [];
	for await (const each of list(getLists)) {
		const option = toListOption(each);
		const isWanted = option.name.toLowerCase().includes(wanted);
		if (isWanted && textOrNone(each.id)) options.push(option);
	}
	return sorted(options);
});

/** The texts that contain the digits of what the user typed, or all of it where that has none. */
const numbersAmong = async (values: AsyncIterable<unknown>, wanted: string): Promise<Option[]> => {
	const part = wanted.replace(/\D/g, '') || wanted;
	const options: Option[] = [];
	for await (const value of values) {
		const text = textOrNone(value);
		if (text?.toLowerCase().includes(part)) options.push({ name: text, value: text });
	}
	return options;
};

/** The leased numbers of the account. */
export const searchNumbers = searching(async ({ list }, { wanted }) => {
	const leased = list(getNumbers, { filter: 'owned' });
	return await numbersAmong(
		mapRecords(leased, ({ number }) => number),
		wanted,
	);
});

const isNumber = (sender: unknown): boolean => /^\d+$/.test(textOrNone(sender) ?? '');

/** The account's own mobile numbers that are verified. */
export const searchRegisteredNumbers = searching(async ({ list }, { wanted }) => {
	const verified = list(getRegistrations, { status: 'VERIFIED' });
	return await numbersAmong(
		mapRecords(verified, ({ sender }) => (isNumber(sender) ? sender : undefined)),
		wanted,
	);
});
