import { problemRefusal } from '../../http/refusal.ts';
import type { SmsFallback } from '../../messages/model.ts';
import { submit } from '../../messages/status.ts';
import { fieldsOf, validate, type Validation } from '../body.ts';
import type { V2Call } from '../dialect.ts';
import { insufficientFunds, readMessageRef, readRecipient } from '../parties.ts';
import type { ChatChannel } from './list.ts';
import { sentRecord, wrapped } from './record.ts';

function readFallback(call: V2Call, { issues }: Validation): SmsFallback | undefined {
	if (call.fields.sms_fallback === undefined || call.fields.sms_fallback === null) return undefined;
	const { sender, message } = fieldsOf(call.fields.sms_fallback);
	if (typeof message === 'string' && message !== '') {
		return { ...(typeof sender === 'string' && sender !== '' && { sender }), message };
	}
	issues.push({ name: 'sms_fallback', message: 'sms_fallback.message is required' });
	return undefined;
}

export interface ChatContent {
	/** For the account book, and for the phone page. */
	text: string;
	content: object;
}

export interface ChatRules {
	channel: ChatChannel;
	readSender(call: V2Call, validation: Validation): string;
	/** The content of each type that the channel knows, or undefined after an issue. */
	contents: Record<string, (content: unknown, validation: Validation) => ChatContent | undefined>;
}

function readContent(call: V2Call, validation: Validation, { contents }: ChatRules) {
	const type = String(call.fields.content_type ?? '');
	const read = contents[type];
	if (read) return { type, ...read(fieldsOf(call.fields.content)[type], validation) };
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

/** A text, at most so long. */
export const textContent =
	(maxLength: number) =>
	(content: unknown, { issues }: Validation): ChatContent | undefined => {
		const { message } = fieldsOf(content);
		if (typeof message === 'string' && message !== '' && message.length <= maxLength) {
			return { text: message, content: { message } };
		}
		issues.push({ name: 'content', message: 'content.text.message is required' });
		return undefined;
	};
