import { omitUndefined, type Json } from '../lib/json';
import { personOf } from '../lib/personOf';
import { messageIn } from './openQuestions';
import type { ReceivedEvent } from './parse';
import type { ClosingReply, ReplyMeaning, Question } from './question';
import { keywordOf } from './replyText';
import { orAbsent, simplifyEvent } from './simplify';

export type Asked = {
	question: Question;
	/** The ID of its message, if the service returned one. */
	questionId?: string;
	webhookId: string;
	untilMs: number;
	/** What Smart Encoding changed. */
	smartEncoding?: unknown;
};

type Responded = { text?: string; respondedAt?: unknown };

/** `data` is as n8n's own nodes have it, which reads there whether a person approved what an agent wants to do. */
function answerFields(
	{ responseType }: Question,
	answer: ReplyMeaning = {},
	{ text, respondedAt }: Responded = {},
): Json {
	const { matched = false, choice, approved = false } = answer;
	switch (responseType) {
		case 'freeText':
			return text === undefined ? {} : { data: omitUndefined({ text, respondedAt }) };
		case 'choice':
			return omitUndefined({ matched, choice });
		case 'approval':
			return { matched, approved, data: omitUndefined({ approved, respondedAt }) };
	}
}

/** Stored with the waiting execution, and output unchanged at a timeout: n8n runs no code then. */
export function suspendedRecord({ question, webhookId, untilMs, ...message }: Asked): Json {
	return omitUndefined({
		replied: false,
		timedOut: true,
		optedOut: false,
		...answerFields(question),
		contact: personOf(question.contact),
		sender: question.senders[0],
		...message,
		webhookId,
		waitedUntil: new Date(untilMs).toISOString(),
		question,
	});
}

const answerFieldNames = ['choice', 'matched', 'respondedAt', 'text'];

/** Drops the item's answer to an earlier question: it must not pass for an answer to this one. */
export function notAsked(record: Json): Json {
	return {
		...Object.fromEntries(
			Object.entries(record).filter(([name]) => !answerFieldNames.includes(name)),
		),
		replied: false,
		timedOut: false,
		optedOut: false,
		approved: false,
		data: { approved: false },
	};
}

/** The output for a reply. Exactly one of `replied`, `timedOut` and `optedOut` is true. */
export function replyRecord(
	{ question, questionId, webhookId, smartEncoding }: Omit<Asked, 'untilMs'>,
	reply: ClosingReply,
	received: ReceivedEvent,
): Json {
	const event: Json = received.event ? simplifyEvent(received.event) : {};
	const { channel, timestamp: respondedAt, contact, sender, contentType, content } = event;
	const isAnswer = reply.kind === 'answer';
	return omitUndefined({
		replied: isAnswer,
		timedOut: false,
		optedOut: !isAnswer,
		text: orAbsent(reply.text),
		keyword: keywordOf(reply.text ?? ''),
		...(isAnswer
			? answerFields(question, reply.answer, { text: reply.text, respondedAt })
			: answerFields(question, {}, { respondedAt })),
		channel,
		contact,
		sender,
		respondedAt,
		questionId,
		replyId: messageIn(received)?.id,
		webhookId,
		contentType,
		content,
		smartEncoding,
	});
}
