import { SHARED_NUMBER } from '../catalogue.ts';
import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import { hasOptedOut, submit } from '../messages/messages.ts';
import { isAlphanumericSender, normalizeNumber } from '../messages/phoneNumber.ts';
import type { Callbacks, List } from '../model.ts';
import { v1DateTime } from '../timestamps.ts';
import {
	numericCheck,
	readCountry,
	readTime,
	required,
	type V1Call,
	type V1Fields,
} from './dialect.ts';
import { filterMembers } from './lists.ts';
import { ownsNumber } from './numbers.ts';

const MAX_RECIPIENTS = 500;
const MAX_MESSAGE_LENGTH = 612;

function readSender({ state, fields }: V1Call): string {
	const { from } = fields;
	if (!from) return SHARED_NUMBER;
	const digits = normalizeNumber(from);
	if (digits && ownsNumber(state, digits)) return digits;
	if (!digits && isAlphanumericSender(from) && !from.includes(' ')) return from;
	throw v1Refusal(400, 'BAD_CALLER_ID');
}

function readList({ state, fields }: V1Call): List | undefined {
	if (!fields.list_id) return undefined;
	const list = state.lists.get(Number(fields.list_id));
	if (!list) throw v1FieldRefusal('FIELD_INVALID', "Field 'list_id' is not one of your lists");
	if (filterMembers(list, 'active').length === 0) throw v1Refusal(400, 'LIST_EMPTY');
	return list;
}

const splitRecipients = (to: string | undefined) =>
	(to ?? '')
		.split(',')
		.map((part) => part.trim())
		.filter(Boolean);

function wantedNumbers(fields: V1Fields, list: List | undefined): string[] {
	if (list) return filterMembers(list, 'active').map(({ msisdn }) => msisdn);
	const wanted = splitRecipients(fields.to);
	if (wanted.length <= MAX_RECIPIENTS) return wanted;
	throw v1FieldRefusal('FIELD_INVALID', `Field 'to' takes at most ${MAX_RECIPIENTS} recipients`);
}

/** Each number once. */
function readRecipients({ state, account, fields }: V1Call, list: List | undefined) {
	const country = readCountry(fields);
	const normalised = wantedNumbers(fields, list).map((text) => ({
		text,
		digits: normalizeNumber(text, country),
	}));
	const fails = normalised.filter(({ digits }) => !digits).map(({ text }) => text);
	const known = [...new Set(normalised.flatMap(({ digits }) => digits ?? []))];
	const optouts = known.filter((contact) => hasOptedOut(state, account.id, contact));
	const valid = known.filter((contact) => !hasOptedOut(state, account.id, contact));
	if (valid.length > 0) return { valid, fails, optouts };
	throw v1FieldRefusal('RECIPIENTS_ERROR', numericCheck({ fails, optouts }));
}

function readText(fields: V1Fields): string {
	const message = required(fields, 'message');
	if (!fields.to && !fields.list_id) {
		throw v1FieldRefusal('FIELD_INVALID', "You must provide either 'list_id' or 'to'");
	}
	if (message.length <= MAX_MESSAGE_LENGTH) return message;
	const description = `Field 'message' is longer than ${MAX_MESSAGE_LENGTH} characters`;
	throw v1FieldRefusal('FIELD_INVALID', description);
}

function readCallbacks(fields: V1Fields): Callbacks {
	const { dlr_callback: delivery, reply_callback: reply, link_hits_callback: linkHits } = fields;
	return {
		...(delivery && { delivery }),
		...(reply && { reply }),
		...(linkHits && { linkHits }),
	};
}

/** Sends a text to up to 500 numbers or a list. Invalid numbers among valid ones are only reported in `fails`. */
export function sendSms(call: V1Call) {
	const { state, account, fields } = call;
	const text = readText(fields);
	const sender = readSender(call);
	const sendAt = readTime(fields, 'send_at') ?? new Date();
	const list = readList(call);
	const { valid, fails, optouts } = readRecipients(call, list);
	const message = submit(state, {
		api: 'v1',
		channel: 'SMS',
		accountId: account.id,
		sender,
		recipients: valid,
		text,
		trackedLinkUrl: fields.tracked_link_url,
		extras: { callbacks: readCallbacks(fields), ...(list && { listId: list.id }) },
		sendAt,
	});
	if (!message) throw v1Refusal(400, 'LEDGER_ERROR');
	return {
		message_id: message.number,
		send_at: v1DateTime(sendAt),
		recipients: valid.length,
		cost: message.cost,
		sms: message.parts * valid.length,
		...(list && { list: { id: list.id, name: list.name } }),
		delivery_stats: { delivered: 0, pending: 0, bounced: 0, responses: 0, optouts: optouts.length },
		...(fails.length > 0 && { fails }),
		...(optouts.length > 0 && { optouts }),
	};
}
