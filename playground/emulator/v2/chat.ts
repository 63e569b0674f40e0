import { cursorPage } from '../http/paging.ts';
import { problemRefusal } from '../http/refusal.ts';
import type { Query } from '../http/routes.ts';
import { submit } from '../messages/messages.ts';
import type { OutboundMessage, SmsFallback } from '../model.ts';
import { wholeSeconds } from '../timestamps.ts';
import {
	toFields,
	insufficientFunds,
	readMessageRef,
	readRecipient,
	type V2Call,
	validate,
	type Validation,
} from './dialect.ts';

/** Polling reports fewer statuses than events: rejected, undeliverable and expired messages all read FAILED. */
const polled = (status: string) =>
	['REJECTED', 'UNDELIVERABLE', 'EXPIRED', 'OTHER'].includes(status) ? 'FAILED' : status;

const baseRecord = (message: OutboundMessage) => ({
	id: message.id,
	...(message.message_ref !== undefined && { message_ref: message.message_ref }),
	...(message.campaign_id !== undefined && { campaign_id: message.campaign_id }),
	sender: message.sender,
	recipient: message.recipient,
	content_type: message.content_type,
	content: message.content,
	created_at: wholeSeconds(new Date(message.at)),
});

const pickFallback = ({ sms_fallback }: OutboundMessage) => (sms_fallback ? { sms_fallback } : {});

const sentRecord = (message: OutboundMessage) => ({
	...baseRecord(message),
	...pickFallback(message),
});

const listedRecord = (message: OutboundMessage) => ({
	...baseRecord(message),
	status: polled(message.status),
});

const details: Record<string, string> = {
	SENT: 'Message handed to the carrier',
	DELIVERED: 'Message delivered to the device',
	READ: 'Message read by the recipient',
	FAILED: 'Message could not be delivered',
};

function fullRecord(message: OutboundMessage) {
	const events = message.history.map(({ status, at }) => ({
		event_type: polled(status),
		created_at: wholeSeconds(new Date(at)),
		details: details[polled(status)] ?? '',
	}));
	return {
		...listedRecord(message),
		...pickFallback(message),
		account_id: message.accountId,
		...(events.length > 0 && { events }),
	};
}

/** The envelope of RCS, WhatsApp and sender answers. */
export const wrapped = (data: object, meta: object = {}) => ({ data, request: {}, meta });

const DAY_MS = 24 * 3_600_000;

interface Period {
	fromMs: number;
	toMs: number;
}

function customPeriod({ start_date: start, end_date: end }: Query): Period {
	const fromMs = Date.parse(String(start));
	const toMs = Date.parse(String(end));
	const name = Number.isNaN(fromMs) ? 'start_date' : 'end_date';
	if (Number.isNaN(fromMs + toMs)) {
		throw problemRefusal(400, [{ name, message: `${name} is required for custom_date` }]);
	}
	if (toMs < fromMs || toMs - fromMs > 90 * DAY_MS) {
		const message = 'end_date must be at most 90 days after start_date';
		throw problemRefusal(400, [{ name: 'end_date', message }]);
	}
	return { fromMs, toMs };
}

/** The emulated account's time zone is UTC. */
function lastMonth(now: Date): Period {
	const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
	return { fromMs: Date.UTC(year, month - 1), toMs: Date.UTC(year, month) - 1 };
}

/** The period given by `date_range`, `start_date` and `end_date`. Default: one year. */
function readPeriod(query: Query): Period {
	const now = new Date();
	const back = (days: number) => ({ fromMs: now.getTime() - days * DAY_MS, toMs: now.getTime() });
	switch (query.date_range ?? 'all') {
		case 'last_week':
			return back(7);
		case 'last_thirty':
			return back(30);
		case 'last_month':
			return lastMonth(now);
		case 'all':
			return back(365);
		case 'custom_date':
			return customPeriod(query);
		default: {
			const message =
				'date_range must be one of: last_week, last_thirty, last_month, all, custom_date';
			throw problemRefusal(400, [{ name: 'date_range', message }]);
		}
	}
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

function readLimit(text: string | undefined): number {
	const limit = text ? Number(text) : DEFAULT_LIMIT;
	if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
	const message = `limit must be between 1 and ${MAX_LIMIT}`;
	throw problemRefusal(400, [{ name: 'limit', message }]);
}

type ChatChannel = 'RCS' | 'WHATSAPP';

/** Newest first. */
export const listMessages =
	(channel: ChatChannel) =>
	({ state, account, query, fault }: V2Call) => {
		const { fromMs, toMs } = readPeriod(query);
		const { campaign_id: campaign } = query;
		const isListed = ({ accountId, at, campaign_id }: OutboundMessage) =>
			accountId === account.id &&
			Date.parse(at) >= fromMs &&
			Date.parse(at) <= toMs &&
			(!campaign || campaign_id === campaign);
		const { page, pagination } = cursorPage({
			rows: state.chatMessages[channel].filter(isListed).reverse(),
			limit: readLimit(query.limit),
			cursor: query.cursor,
			direction: query.direction,
			fault,
			refuseCursor: () => {
				throw problemRefusal(400, [{ name: 'cursor', message: 'cursor is invalid' }]);
			},
		});
		return wrapped({ messages: page.map(listedRecord) }, { pagination });
	};

export const getMessage =
	(channel: ChatChannel) =>
	({ state, account, params }: V2Call) => {
		const message = state.messagesById.get(params.id!);
		if (message?.channel === channel && message.accountId === account.id) {
			return wrapped(fullRecord(message));
		}
		throw problemRefusal(404);
	};

function readFallback(call: V2Call, { issues }: Validation): SmsFallback | undefined {
	if (call.fields.sms_fallback === undefined || call.fields.sms_fallback === null) return undefined;
	const { sender, message } = toFields(call.fields.sms_fallback);
	if (typeof message === 'string' && message !== '') {
		return { ...(typeof sender === 'string' && sender !== '' && { sender }), message };
	}
	issues.push({ name: 'sms_fallback', message: 'sms_fallback.message is required' });
	return undefined;
}

export interface ChatContent {
	/** For the account book and the phone page. */
	text: string;
	content: object;
}

interface ChatRules {
	channel: ChatChannel;
	readSender(call: V2Call, validation: Validation): string;
	/** Reads the content of each type the channel supports; undefined after an issue. */
	contents: Record<string, (content: unknown, validation: Validation) => ChatContent | undefined>;
}

function readContent(call: V2Call, validation: Validation, { contents }: ChatRules) {
	const type = String(call.fields.content_type ?? '');
	const read = contents[type];
	if (read) return { type, ...read(toFields(call.fields.content)[type], validation) };
	const message = `content_type must be one of: ${Object.keys(contents).join(', ')}`;
	validation.issues.push({ name: 'content_type', message });
	return { type };
}

export const sendMessage = (rules: ChatRules) => (call: V2Call) => {
	const { state, account, fields } = call;
	const validation = validate(fields);
	const sender = rules.readSender(call, validation);
	const recipient = readRecipient(call, validation);
	const { type, text = '', content = {} } = readContent(call, validation, rules);
	const message_ref = readMessageRef(fields, validation);
	const sms_fallback = readFallback(call, validation);
	validation.refuseIfAny();
	const message = submit(state, {
		api: 'v2',
		channel: rules.channel,
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		extras: {
			content_type: type,
			content: { [type]: content },
			...(message_ref !== undefined && { message_ref }),
			...(sms_fallback && { sms_fallback }),
		},
	});
	if (!message) throw problemRefusal(400, insufficientFunds);
	return wrapped(sentRecord(message));
};

/** A text of at most `maxLength` characters. */
export const textContent =
	(maxLength: number) =>
	(content: unknown, { issues }: Validation): ChatContent | undefined => {
		const { message } = toFields(content);
		if (typeof message === 'string' && message !== '' && message.length <= maxLength) {
			return { text: message, content: { message } };
		}
		issues.push({ name: 'content', message: 'content.text.message is required' });
		return undefined;
	};
