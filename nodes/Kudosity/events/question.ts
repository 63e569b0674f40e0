import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { isReaction } from './reaction';
import {
	asksToStop,
	choiceOf,
	decisionIn,
	defaultApproveWords,
	defaultDeclineWords,
	isStop,
	optOutIn,
} from './replyText';
import { isSamePerson } from '../lib/personOf';
import { normalizeWords } from '../lib/text';
import type { ReceivedEvent } from './parse';
import { partiesOfReceived, partiesOfSent } from './simplify';

export const responseTypes = ['freeText', 'approval', 'choice'] as const;
export const onUnexpectedReplyValues = ['keepWaiting', 'continue'] as const;
export const matchByValues = ['anyMessage', 'thisMessage'] as const;

const texts = z.array(z.string());

/** Created on first use, since n8n loads all nodes at startup. */
const questionSchema = lazy(() =>
	z.object({
		/** Identifies the question; signed into the URL that receives its reply. */
		ask: z.string(),
		/** The reference of its message. */
		reference: z.string(),
		/** When the service took its message, as ISO 8601 in UTC. */
		sentAt: z.string().optional().catch(undefined),
		/** Whom the message was sent to, as E.164 digits without plus; a reply can have another spelling of the number. */
		contact: z.string(),
		/** Where the reply may arrive: the sender, and that of the fallback SMS. */
		senders: texts,
		/** What was sent: a reaction quotes it. Absent where the message has no text of its own, e.g. a template. */
		sent: texts.optional(),
		responseType: z.enum(responseTypes),
		choices: texts.optional(),
		approveWords: texts.optional(),
		declineWords: texts.optional(),
		onUnexpectedReply: z.enum(onUnexpectedReplyValues),
		unexpectedReplyMessage: z.string().optional(),
	}),
);

/** An open question: plain JSON, stored with the waiting execution. */
export type Question = z.infer<ReturnType<typeof questionSchema>>;

export function readQuestion(value: unknown): Question | undefined {
	return questionSchema().safeParse(value).data;
}

/** What a reply means. `matched` is absent where any text is an answer. */
export type ReplyMeaning = { matched?: boolean; approved?: boolean; choice?: string };

type Wording = Pick<Question, 'responseType' | 'choices' | 'approveWords' | 'declineWords'>;

const approving = ({ approveWords = defaultApproveWords }: Wording) => approveWords;
const declining = ({ declineWords = defaultDeclineWords }: Wording) => declineWords;

function answersTo(question: Wording): string[] {
	const { responseType, choices = [] } = question;
	if (responseType === 'approval') return [...approving(question), ...declining(question)];
	return responseType === 'choice' ? choices : [];
}

/** The answers to a question that would opt a person out anywhere else. */
export function optOutWordsFor(question: Wording): string[] {
	return answersTo(question)
		.filter((answer) => optOutIn(answer) !== undefined)
		.map(normalizeWords);
}

function readAnswer(question: Wording, text: string): ReplyMeaning {
	const { responseType, choices = [] } = question;
	if (responseType === 'freeText') return {};
	if (responseType === 'choice') {
		const choice = choiceOf(choices, text);
		return choice === undefined ? { matched: false } : { matched: true, choice };
	}
	const words = { approving: approving(question), declining: declining(question) };
	const approved = decisionIn(text, words);
	return { matched: approved !== undefined, approved: approved === true };
}

export type ReplyKind =
	| { kind: 'other' }
	/** The contact opted out, by an opt-out keyword or a link. */
	| { kind: 'optOut'; text?: string }
	| { kind: 'answer'; text: string; answer: ReplyMeaning }
	/** The text is not an answer, and the question stays open. */
	| { kind: 'noMatch' };
/** One that ends the question. */
export type ClosingReply = Extract<ReplyKind, { kind: 'answer' | 'optOut' }>;

const isBetween = (
	{ contact, senders }: Question,
	parties: ReturnType<typeof partiesOfSent>,
): boolean => isSamePerson(parties.contact, contact) && senders.includes(parties.sender);

const textsSentBy = ({ sent = [], unexpectedReplyMessage: explanation }: Question): string[] =>
	explanation === undefined ? sent : [...sent, explanation];

/** How an event relates to a question. Only the contact that was asked can answer, and only to the number that asked. */
export function classifyReply(question: Question, { event }: ReceivedEvent): ReplyKind {
	const payload = event?.payload;
	if (payload?.kind === 'optOut') {
		const { source_message: sent } = payload.optOut;
		return { kind: isBetween(question, partiesOfSent(sent)) ? 'optOut' : 'other' };
	}
	if (payload?.kind !== 'inbound') return { kind: 'other' };
	const { inbound, words: text } = payload;
	if (!isBetween(question, partiesOfReceived(inbound))) return { kind: 'other' };
	if (isReaction(inbound, textsSentBy(question))) return { kind: 'other' };
	if (asksToStop(text, answersTo(question))) return { kind: 'optOut', text };
	const answer = readAnswer(question, text);
	return answer.matched === false && question.onUnexpectedReply === 'keepWaiting'
		? { kind: 'noMatch' }
		: { kind: 'answer', text, answer };
}

/** Whether the contact opted out by a link or by STOP, which ends every question, even one with STOP as an answer. */
export function endsAllQuestions(reply: ReplyKind): boolean {
	return reply.kind === 'optOut' && (reply.text === undefined || isStop(reply.text));
}

/** Decides what a reply is to a question that does not get it: nothing, unless it opts out of the one that does. */
export function classifyAsOlder(reply: ReplyKind, ownersWords: string[]): ReplyKind {
	return 'text' in reply && reply.text !== undefined && asksToStop(reply.text, ownersWords)
		? { kind: 'optOut', text: reply.text }
		: { kind: 'other' };
}
