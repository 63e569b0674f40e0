import { plainRefusal, problemRefusal } from '../http/refusal.ts';
import { submit } from '../messages/messages.ts';
import { countryFromNumber } from '../messages/phoneNumber.ts';
import type { OutboundMessage } from '../model.ts';
import { withFractionDigits } from '../timestamps.ts';
import {
	type Fields,
	insufficientFunds,
	readMessageRef,
	readRecipient,
	readSender,
	requireUuid,
	type V2Call,
	type V2Route,
	validate,
	type Validation,
} from './dialect.ts';

const MAX_MESSAGE_LENGTH = 1000;
const MAX_SUBJECT_LENGTH = 20;

/** Nine fraction digits when sent, six when read. */
function mmsRecord(message: OutboundMessage, fractionDigits: number) {
	const written = (iso: string) => withFractionDigits(new Date(iso), fractionDigits);
	return {
		id: message.id,
		recipient: message.recipient,
		sender: message.sender,
		country: countryFromNumber(message.recipient),
		subject: message.subject ?? '',
		message: message.sentText,
		message_ref: message.message_ref ?? '',
		content_urls: message.content_urls ?? [],
		status: message.status.toLowerCase(),
		track_links: message.track_links,
		is_sandbox: false,
		created_at: written(message.at),
		updated_at: written(message.updatedAt),
	};
}

function readText(fields: Fields, { issues }: Validation, name: string, maxLength: number): string {
	const value = fields[name] ?? '';
	if (typeof value === 'string' && value.length <= maxLength) return value;
	issues.push({ name, message: `${name} must be a string of at most ${maxLength} characters` });
	return '';
}

function readSubject(fields: Fields, validation: Validation): string {
	const subject = readText(fields, validation, 'subject', MAX_SUBJECT_LENGTH);
	if (/^\p{ASCII}*$/u.test(subject)) return subject;
	validation.issues.push({ name: 'subject', message: 'subject must be ASCII' });
	return '';
}

const isWebAddress = (url: unknown): url is string =>
	typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Requires exactly one file. */
function readUrls({ content_urls: urls }: Fields, { issues }: Validation): string[] {
	if (Array.isArray(urls) && urls.length === 1 && urls.every(isWebAddress)) return urls;
	issues.push({ name: 'content_urls', message: 'content_urls must hold one valid URL' });
	return [];
}

function readAustralianRecipient(call: V2Call, validation: Validation): string {
	const recipient = readRecipient(call, validation);
	if (recipient !== '' && countryFromNumber(recipient) !== 'AU') {
		validation.issues.push({ name: 'recipient', message: 'recipient must be in Australia' });
	}
	return recipient;
}

function sendMms(call: V2Call) {
	const { state, account, fields } = call;
	const validation = validate(fields);
	const sender = readSender(call, validation);
	const recipient = readAustralianRecipient(call, validation);
	const content_urls = readUrls(fields, validation);
	const subject = readSubject(fields, validation);
	const text = readText(fields, validation, 'message', MAX_MESSAGE_LENGTH);
	const message_ref = readMessageRef(fields, validation);
	validation.refuseIfAny();
	const message = submit(state, {
		api: 'v2',
		channel: 'MMS',
		accountId: account.id,
		sender,
		recipients: [recipient],
		text,
		trackLinks: fields.track_links === true,
		extras: { content_urls, subject, ...(message_ref !== undefined && { message_ref }) },
	});
	if (!message) throw problemRefusal(400, insufficientFunds);
	return mmsRecord(message, 9);
}

function getMms({ state, account, params }: V2Call) {
	requireUuid(params.id!, 'invalid MMS ID');
	const message = state.messagesById.get(params.id!);
	if (message?.channel === 'MMS' && message.accountId === account.id) return mmsRecord(message, 6);
	throw plainRefusal(404, 'MMS not found');
}

export const mmsRoutes: V2Route[] = [
	{ method: 'POST', path: '/v2/mms', run: sendMms },
	{ method: 'GET', path: '/v2/mms/{id}', run: getMms },
];
