import { omitUndefined, type Json } from '../lib/json';
import { personOf } from '../lib/personOf';
import { messageIn } from './openQuestions';
import type { ReceivedEvent } from './parse';
import type { ClosingReply, ReplyMeaning, Question } from './question';
import { keywordOf } from './replyWords';
import { orAbsent, simplifyEvent } from './simplify';

export type Asked = {
	question: Question;
	/** The ID of the question's message, if the service returned one. */
	questionId?: string;
	webhookId: string;
	untilMs: number;
	/** What Smart Encoding changed in the message. */
	smartEncoding?: unknown;
};

type Responded = { text?: string; respondedAt?: unknown };

/**
 * Returns the output fields that depend on the response type. `data` has the same shape as in n8n's own nodes, because
 * n8n reads it to find out whether a person approved an agent's tool call.
 */
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

/**
 * Builds the record that is stored with the waiting execution. At the time limit, n8n outputs this record unchanged,
 * because it doesn't run our code then.
 */
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

/**
 * Builds the output for a question that wasn't asked. Removes the answer to an earlier question from the item, because
 * that answer must not be mistaken for an answer to this question.
 */
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

/** Builds the output for a reply. Exactly one of `replied`, `timedOut` and `optedOut` is true. */
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
