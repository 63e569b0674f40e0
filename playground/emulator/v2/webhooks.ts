import { randomUUID } from 'node:crypto';
import { eventTypes } from '../events/events.ts';
import { filterFields, type WebhookFilter } from '../events/webhookFilter.ts';
import { plainRefusal } from '../http/refusal.ts';
import type { State, Webhook } from '../state.ts';
import { withFractionDigits } from '../timestamps.ts';
import { type Fields, toFields, requireUuid, type V2Call, type V2Route } from './dialect.ts';

const MAX_RATE_LIMIT = 10_000;

const invalid = (reason: string) => plainRefusal(400, `Validation Error: ${reason}`);

function readName(name: unknown): string {
	if (typeof name === 'string' && name.length >= 2 && name.length <= 100) return name;
	throw invalid('name: length must be between 2 and 100');
}

/** Documented as https only, but the live service accepts http too. */
function readUrl(url: unknown): string {
	if (typeof url !== 'string' || url === '') throw invalid('url: required');
	if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url;
	throw invalid('url: must be a valid URL');
}

const isEventType = (value: unknown) => eventTypes.some((known) => known === value);

function readFilter(filter: unknown): WebhookFilter | null {
	if (filter === undefined || filter === null) return null;
	const fields = toFields(filter);
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

function formatWebhook(webhook: Webhook, fractionDigits: number) {
	const { id, name, url, filter, rate_limit, event_type, createdAt, updatedAt } = webhook;
	return {
		id,
		name,
		url,
		filter,
		rate_limit,
		is_sandbox: false,
		...(event_type !== undefined && { event_type }),
		created_at: withFractionDigits(new Date(createdAt), fractionDigits),
		updated_at: withFractionDigits(new Date(updatedAt), fractionDigits),
	};
}

/** Nine fraction digits when created, six when read. */
const webhookRecord = (webhook: Webhook) => formatWebhook(webhook, 6);

function findWebhook({ state, account, params }: V2Call): Webhook {
	const id = params.id!;
	requireUuid(id, 'invalid webhook ID');
	const webhook = state.webhooks.get(id);
	if (webhook?.accountId === account.id) return webhook;
	throw plainRefusal(404, 'Webhook not found');
}

const serviceTime = ({ settings }: State) =>
	new Date(Date.now() + settings.clockAheadMs).toISOString();

function createWebhook({ state, account, fields }: V2Call) {
	const now = serviceTime(state);
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
	return formatWebhook(webhook, 9);
}

/** Without webhooks, an empty object: the field itself is absent. */
function listWebhooks({ state, account }: V2Call) {
	const webhooks = [...state.webhooks.values()]
		.filter((webhook) => webhook.accountId === account.id)
		.map(webhookRecord);
	return webhooks.length > 0 ? { webhooks } : {};
}

/** Replaces the whole record. Omitted fields return to their defaults. */
function replaceWebhook(call: V2Call) {
	const { state, fields } = call;
	const { id, accountId, createdAt, freeAtMs } = findWebhook(call);
	const replaced: Webhook = {
		...readRequest(fields),
		id,
		accountId,
		createdAt,
		updatedAt: serviceTime(state),
		freeAtMs,
	};
	state.webhooks.set(id, replaced);
	state.changes.notify();
	return webhookRecord(replaced);
}

function deleteWebhook(call: V2Call) {
	call.state.webhooks.delete(findWebhook(call).id);
	call.state.changes.notify();
	return { message: 'deleted' };
}

export const webhookRoutes: V2Route[] = [
	{ method: 'POST', path: '/v2/webhook', status: 201, run: createWebhook },
	{ method: 'GET', path: '/v2/webhook', run: listWebhooks },
	{ method: 'GET', path: '/v2/webhook/{id}', run: (call) => webhookRecord(findWebhook(call)) },
	{ method: 'PUT', path: '/v2/webhook/{id}', run: replaceWebhook },
	{ method: 'DELETE', path: '/v2/webhook/{id}', run: deleteWebhook },
];
