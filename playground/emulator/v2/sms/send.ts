import { plainRefusal, problemRefusal } from '../../http/refusal.ts';
import { submit } from '../../messages/status.ts';
import { validate } from '../body.ts';
import type { V2Call } from '../dialect.ts';
import { insufficientFunds, readMessageRef, readRecipient, readSender } from '../parties.ts';
import { readability, smsRecord } from './record.ts';

const MAX_MESSAGE_LENGTH = 5000;

export function sendSms(call: V2Call) {
	const { state, account, fields } = call;
	const validation = validate(fields);
	const text = validation.requiredText('message');
	if (text.length > MAX_MESSAGE_LENGTH) {
		validation.issues.push({ name: 'message', message: 'message is too long' });
	}
	const sender = readSender(call, validation);
	const recipient = readRecipient(call, validation);
	const message_ref = readMessageRef(fields, validation);
	validation.refuseIfAny();
	const message = submit(state, {
		api: 'v2',
		channel: 'SMS',
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		trackLinks: fields.track_links === true,
		extras: message_ref === undefined ? {} : { message_ref },
	});
	if (!message) throw problemRefusal(400, insufficientFunds);
	return smsRecord(state, message);
}

/** The status of a single record is in upper case. */
export function getSms({ state, account, params }: V2Call) {
	const message = state.messagesById.get(params.id!);
	const isFound =
		message?.api === 'v2' &&
		message.channel === 'SMS' &&
		message.accountId === account.id &&
		readability(state)(message);
	if (!message || !isFound) throw plainRefusal(404, 'SMS not found');
	const record = smsRecord(state, message);
	return { ...record, status: record.status.toUpperCase() };
}
