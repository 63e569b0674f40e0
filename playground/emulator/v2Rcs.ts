import { randomUUID } from 'node:crypto';
import { messageFrom } from './acceptance.ts';
import type { Account } from './account.ts';
import { acceptMessage } from './lifecycle.ts';
import { listedRecord, polled, sentRecord, wrapped } from './rcsRecord.ts';
import { problemRefusal } from './refusal.ts';
import type { State } from './state.ts';
import { wholeSeconds } from './timestamps.ts';
import { fieldsOf, validate, type Fields, type Validation } from './v2Body.ts';
import { readMessageRef, readRecipient } from './v2Recipient.ts';

const MAX_TEXT_LENGTH = 3072;

const details: Record<string, string> = {
	SENT: 'Message handed to the carrier',
	DELIVERED: 'Message delivered to the device',
	READ: 'Message read by the recipient',
	FAILED: 'Message could not be delivered',
};

export function getRcsMessage(state: State, account: Account, id: string) {
	const message = state.messagesById.get(id);
	if (message?.channel !== 'RCS' || message.accountId !== account.id) throw problemRefusal(404);
	const events = message.history.map((step) => ({
		event_type: polled(step.status),
		created_at: wholeSeconds(new Date(step.at)),
		details: details[polled(step.status)] ?? '',
	}));
	return wrapped({
		...listedRecord(message),
		account_id: account.id,
		...(events.length > 0 && { events }),
	});
}

function readText(fields: Fields, { issues }: Validation): string {
	if (fields.content_type !== 'text') {
		issues.push({ name: 'content_type', message: 'content_type must be one of: text' });
	}
	const text = fieldsOf(fieldsOf(fields.content).text).message;
	if (typeof text === 'string' && text !== '' && text.length <= MAX_TEXT_LENGTH) return text;
	issues.push({ name: 'content', message: 'content.text.message is required' });
	return '';
}

export function sendRcsMessage(state: State, account: Account, fields: Fields) {
	const validation = validate(fields);
	const sender = validation.requiredText('sender');
	const recipient = readRecipient(state, account, validation);
	const text = readText(fields, validation);
	const messageRef = readMessageRef(fields, validation);
	validation.refuseIfAny();

	const message = messageFrom({
		id: randomUUID(),
		api: 'v2',
		channel: 'RCS',
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		sentText: text,
		messageRef,
		trackLinks: false,
		status: 'QUEUED',
	});
	acceptMessage(state, message);
	return wrapped(sentRecord(message));
}
