import { randomInt } from 'node:crypto';
import { messageFrom } from './acceptance.ts';
import type { Account } from './account.ts';
import { findList, listMembers, ownsNumber, SHARED_NUMBER, type ContactList } from './catalogue.ts';
import { acceptMessage } from './lifecycle.ts';
import { isAlphanumericSender, normaliseNumber } from './phoneNumber.ts';
import { v1FieldRefusal, v1Refusal } from './refusal.ts';
import { charge } from './balance.ts';
import { hasOptedOut, type State } from './state.ts';
import { v1DateTime } from './timestamps.ts';
import { fillLinks } from './trackedLinks.ts';
import type { V1Parameters } from './v1Numbers.ts';

const MAX_RECIPIENTS = 500;
const MAX_MESSAGE_LENGTH = 612;
/** v1 writes everything that looks like an integer as one. */
const numericIfPossible = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text);

function readSender(state: State, from: string | undefined): string {
	if (!from) return SHARED_NUMBER;
	const digits = normaliseNumber(from);
	if (digits && ownsNumber(digits, state.settings.numbersOwned)) return digits;
	if (!digits && isAlphanumericSender(from) && !from.includes(' ')) return from;
	throw v1Refusal(400, 'BAD_CALLER_ID');
}

function readList(state: State, listId: string | undefined): ContactList | undefined {
	if (!listId) return undefined;
	const list = findList(Number(listId), state.settings.lists);
	if (!list) throw v1FieldRefusal('FIELD_INVALID', "Field 'list_id' is not one of your lists");
	if (list.members_active === 0) throw v1Refusal(400, 'LIST_EMPTY');
	return list;
}

interface Recipients {
	valid: string[];
	fails: string[];
	optouts: string[];
}

function readRecipients(state: State, account: Account, wanted: string[]): Recipients {
	if (wanted.length > MAX_RECIPIENTS) {
		throw v1FieldRefusal('FIELD_INVALID', `Field 'to' takes at most ${MAX_RECIPIENTS} recipients`);
	}
	const normalised = wanted.map((text) => ({ text, digits: normaliseNumber(text) }));
	const fails = normalised.filter(({ digits }) => !digits).map(({ text }) => text);
	const known = [...new Set(normalised.flatMap(({ digits }) => digits ?? []))];
	const optouts = known.filter((contact) => hasOptedOut(state, account.id, contact));
	const valid = known.filter((contact) => !optouts.includes(contact));
	if (valid.length > 0) return { valid, fails, optouts };
	throw v1FieldRefusal('RECIPIENTS_ERROR', {
		fails: fails.map(numericIfPossible),
		optouts: optouts.map(numericIfPossible),
	});
}

function readSendAt(sendAt: string | undefined): Date {
	if (!sendAt) return new Date();
	const at = new Date(`${sendAt.replace(' ', 'T')}Z`);
	const isWellFormed = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(sendAt);
	if (isWellFormed && !Number.isNaN(at.getTime())) return at;
	throw v1FieldRefusal('FIELD_INVALID', "Field 'send_at' must be YYYY-MM-DD HH:MM:SS");
}

function readText({ message, to, list_id }: V1Parameters): string {
	if (!message) throw v1FieldRefusal('FIELD_EMPTY', "Required field 'message' is empty");
	if (!to && !list_id) {
		throw v1FieldRefusal('FIELD_INVALID', "You must provide either 'list_id' or 'to'");
	}
	if (message.length <= MAX_MESSAGE_LENGTH) return message;
	throw v1FieldRefusal(
		'FIELD_INVALID',
		`Field 'message' is longer than ${MAX_MESSAGE_LENGTH} characters`,
	);
}

const splitRecipients = (to: string | undefined) =>
	(to ?? '')
		.split(',')
		.map((part) => part.trim())
		.filter(Boolean);

/** Sends one text to up to 500 numbers or a list; invalid numbers among valid ones only show in `fails`. */
export function sendSms(state: State, account: Account, parameters: V1Parameters) {
	const text = readText(parameters);
	const sender = readSender(state, parameters.from);
	const sendAt = readSendAt(parameters.send_at);
	const list = readList(state, parameters.list_id);
	const wanted = list ? listMembers(list) : splitRecipients(parameters.to);
	const { valid, fails, optouts } = readRecipients(state, account, wanted);

	const id = String(randomInt(100_000_000, 999_999_999));
	const trackedLinkUrl = parameters.tracked_link_url;
	const sentText = fillLinks(state, { messageId: id, text, trackLinks: false, trackedLinkUrl });
	const message = messageFrom({
		id,
		api: 'v1',
		channel: 'SMS',
		accountId: account.id,
		sender,
		recipients: valid,
		text,
		sentText,
		trackLinks: Boolean(trackedLinkUrl),
		status: 'PENDING',
	});
	const sms = message.parts * valid.length;
	const cost = charge(state, account, sms);
	if (cost === undefined) throw v1Refusal(400, 'LEDGER_ERROR');
	acceptMessage(state, message, sendAt);
	return {
		message_id: Number(id),
		send_at: v1DateTime(sendAt),
		recipients: valid.length,
		cost,
		sms,
		...(list && { list: { id: list.id, name: list.name } }),
		delivery_stats: { delivered: 0, pending: 0, bounced: 0, responses: 0, optouts: optouts.length },
		...(fails.length > 0 && { fails: fails.map(numericIfPossible) }),
	};
}
