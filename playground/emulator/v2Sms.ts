import { randomUUID } from 'node:crypto';
import { messageFrom } from './acceptance.ts';
import type { Account } from './account.ts';
import { charge } from './balance.ts';
import { ownsNumber } from './catalogue.ts';
import { acceptMessage } from './lifecycle.ts';
import { isAlphanumericSender, normaliseNumber } from './phoneNumber.ts';
import { plainRefusal, problemRefusal } from './refusal.ts';
import { outboundRecord } from './smsRecord.ts';
import type { State } from './state.ts';
import { fillLinks } from './trackedLinks.ts';
import { validate, type Fields, type Validation } from './v2Body.ts';
import { readMessageRef, readRecipient } from './v2Recipient.ts';

const MAX_MESSAGE_LENGTH = 5000;

function readSender(state: State, validation: Validation): string {
	const sender = validation.requiredText('sender');
	const digits = normaliseNumber(sender);
	if (digits && ownsNumber(digits, state.settings.numbersOwned)) return digits;
	if (!digits && isAlphanumericSender(sender)) return sender;
	if (sender) validation.issues.push({ name: 'sender', message: 'Sender not found' });
	return '';
}

export function sendSms(state: State, account: Account, fields: Fields) {
	const validation = validate(fields);
	const text = validation.requiredText('message');
	if (text.length > MAX_MESSAGE_LENGTH) {
		validation.issues.push({ name: 'message', message: 'message is too long' });
	}
	const sender = readSender(state, validation);
	const recipient = readRecipient(state, account, validation);
	const messageRef = readMessageRef(fields, validation);
	validation.refuseIfAny();

	const id = randomUUID();
	const trackLinks = fields.track_links === true;
	const sentText = fillLinks(state, { messageId: id, text, trackLinks });
	const message = messageFrom({
		id,
		api: 'v2',
		channel: 'SMS',
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		sentText,
		messageRef,
		trackLinks,
		status: 'PENDING',
	});
	if (charge(state, account, message.parts) === undefined) {
		throw problemRefusal(400, [{ name: 'account', message: 'Insufficient funds' }]);
	}
	acceptMessage(state, message);
	return outboundRecord(state, message);
}

/** 404 until the read lag has passed; the status of a single record is in upper case. */
export function getSms(state: State, account: Account, id: string) {
	const message = state.messagesById.get(id);
	const isReadable =
		message?.api === 'v2' &&
		message.channel === 'SMS' &&
		message.accountId === account.id &&
		Date.now() - Date.parse(message.at) >= state.settings.readLagMs;
	if (!message || !isReadable) throw plainRefusal(404, 'SMS not found');
	const record = outboundRecord(state, message);
	return { ...record, status: record.status.toUpperCase() };
}
