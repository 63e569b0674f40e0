import { randomUUID } from 'node:crypto';
import type { Account } from './account.ts';
import { eventTypes } from './events.ts';
import { plainRefusal } from './refusal.ts';
import type { State, Webhook } from './state.ts';
import { withFractionDigits } from './timestamps.ts';
import { fieldsOf, requireUuid, type Fields } from './v2Body.ts';
import { filterFields, type WebhookFilter } from './webhookFilter.ts';

const MAX_RATE_LIMIT = 10_000;

const invalid = (reason: string) => plainRefusal(400, `Validation Error: ${reason}`);

function readName(name: unknown): string {
	if (typeof name === 'string' && name.length >= 2 && name.length <= 100) return name;
	throw invalid('name: length must be between 2 and 100');
}

/** Documented as https only, but the live service takes http as well. */
function readUrl(url: unknown): string {
	if (typeof url !== 'string' || url === '') throw invalid('url: required');
	if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url;
	throw invalid('url: must be a valid URL');
}

const isEventType = (value: unknown) => eventTypes.some((known) => known === value);

function readFilter(filter: unknown): WebhookFilter | null {
	if (filter === undefined || filter === null) return null;
	const fields = fieldsOf(filter);
	const read: WebhookFilter = {};
	for (const name of filterFields) {
		const values = fields[name];
		if (values === undefined || values === null) continue;
		if (!Array.isArray(values) || values.some((value) => typeof value !== 'string')) {
			throw invalid(`filter.${name}: must be an array of strings`);
		}
		read[name] = values;
	}
	if (read.event_type?.every(isEventType) === false) {
		throw invalid('filter.event_type: must be a valid value');
	}
	return read;
}

function readRateLimit(rateLimit: unknown): number {
	if (rateLimit === undefined || rateLimit === null) return 0;
	if (typeof rateLimit !== 'number' || !Number.isInteger(rateLimit)) {
		throw invalid('rate_limit: must be an integer');
	}
	if (rateLimit > MAX_RATE_LIMIT) {
		throw invalid(`rate_limit: greater than the maximum value of ${MAX_RATE_LIMIT}`);
	}
	if (rateLimit < 0) throw invalid('rate_limit: less than the minimum value of 0');
	return rateLimit;
}

function readEventType(eventType: unknown): { event_type?: string } {
	if (eventType === undefined || eventType === null || eventType === '') return {};
	if (isEventType(eventType)) return { event_type: String(eventType) };
	throw invalid('event_type: must be a valid value');
}

const readRequest = (fields: Fields) => ({
	name: readName(fields.name),
	url: readUrl(fields.url),
	filter: readFilter(fields.filter),
	rate_limit: readRateLimit(fields.rate_limit),
	...readEventType(fields.event_type),
});

function recordOf(webhook: Webhook, fractionDigits: number) {
	const { id, name, url, filter, rate_limit, event_type, createdAt, updatedAt } = webhook;
	return {
		id,
		name,
		url,
		filter,
		rate_limit,
		is_sandbox: false,
		...(event_type !== undefined && { event_type }),
		created_at: withFractionDigits(createdAt, fractionDigits),
		updated_at: withFractionDigits(updatedAt, fractionDigits),
	};
}

/** Nine fraction digits when created, six when read. */
export const webhookRecord = (webhook: Webhook) => recordOf(webhook, 6);

function findWebhook(state: State, account: Account, id: string): Webhook {
	requireUuid(id, 'invalid webhook ID');
	const webhook = state.webhooks.get(id);
	if (webhook?.accountId === account.id) return webhook;
	throw plainRefusal(404, 'Webhook not found');
}

export function createWebhook(state: State, account: Account, fields: Fields) {
	const now = new Date();
	const webhook: Webhook = {
		...readRequest(fields),
		id: randomUUID(),
		accountId: account.id,
		createdAt: now,
		updatedAt: now,
		freeAtMs: 0,
	};
	state.webhooks.set(webhook.id, webhook);
	state.changes.notify();
	return recordOf(webhook, 9);
}

/** An empty object when there are none: the field itself is left out. */
export function listWebhooks(state: State, account: Account) {
	const webhooks = [...state.webhooks.values()]
		.filter((webhook) => webhook.accountId === account.id)
		.map(webhookRecord);
	return webhooks.length > 0 ? { webhooks } : {};
}

export const getWebhook = (state: State, account: Account, id: string) =>
	webhookRecord(findWebhook(state, account, id));

/** Replaces the whole record: what the request leaves out goes back to its default. */
export function replaceWebhook(
	state: State,
	account: Account,
	{ id, fields }: { id: string; fields: Fields },
) {
	const { accountId, createdAt, freeAtMs } = findWebhook(state, account, id);
	const replaced: Webhook = {
		...readRequest(fields),
		id,
		accountId,
		createdAt,
		updatedAt: new Date(),
		freeAtMs,
	};
	state.webhooks.set(id, replaced);
	state.changes.notify();
	return webhookRecord(replaced);
}

export function deleteWebhook(state: State, account: Account, id: string) {
	state.webhooks.delete(findWebhook(state, account, id).id);
	state.changes.notify();
	return { message: 'deleted' };
}
