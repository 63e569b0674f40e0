import { z } from 'zod/v4';
import { lazy } from '../lib/async';
import { isReaction } from './reaction';
import { choiceOf } from './choice';
import { decisionIn, defaultApproveWords, defaultDeclineWords } from './decision';
import { asksToStop, isStop, optOutIn } from './optOutText';
import { isSamePerson } from '../lib/personOf';
import { normalizeWords } from '../lib/text';
import type { ReceivedEvent } from './parse';
import { partiesOfReceived, partiesOfSent } from './simplify';

export const responseTypes = ['freeText', 'approval', 'choice'] as const;
export const onUnexpectedReplyValues = ['keepWaiting', 'continue'] as const;
export const matchByValues = ['anyMessage', 'thisMessage'] as const;

const texts = z.array(z.string());

/** Created on first use, because n8n loads all nodes at startup. */
const questionSchema = lazy(() =>
	z.object({
		/**
		 * The signed token that identifies the question (see `encodeQuestionToken`). It is a parameter of the URL that
		 * receives the reply.
		 */
		ask: z.string(),
		/** The reference (`message_ref`) of the message that asks the question. */
		reference: z.string(),
		/** When the service accepted the message, in ISO 8601 and UTC. */
		sentAt: z.string().optional().catch(undefined),
		/** The recipient, as E.164 digits without the plus sign. A reply may spell the number differently. */
		contact: z.string(),
		/** Where the reply may arrive: the message's sender, and the sender of its fallback SMS. */
		senders: texts,
		/**
		 * The texts that were sent, because a reaction quotes them. Absent if the message has no text of its own, e.g.
		 * a template.
		 */
		sent: texts.optional(),
		responseType: z.enum(responseTypes),
		choices: texts.optional(),
		approveWords: texts.optional(),
		declineWords: texts.optional(),
		onUnexpectedReply: z.enum(onUnexpectedReplyValues),
		unexpectedReplyMessage: z.string().optional(),
	}),
);

/** An open question. It is plain JSON, because it is stored with the waiting execution. */
export type Question = z.infer<ReturnType<typeof questionSchema>>;

export function readQuestion(value: unknown): Question | undefined {
	return questionSchema().safeParse(value).data;
}

/** The meaning of a reply. `matched` is absent if any text counts as an answer. */
export type ReplyMeaning = { matched?: boolean; approved?: boolean; choice?: string };

type Wording = Pick<
	Question,
	'responseType' | 'choices' | 'approveWords' | 'declineWords' | 'sent' | 'unexpectedReplyMessage'
>;

/** Returns the texts that the person may have got: the question, and the message about an unexpected reply. */
const textsSentBy = ({ sent = [], unexpectedReplyMessage: explanation }: Wording): string[] =>
	explanation === undefined ? sent : [...sent, explanation];

const approving = ({ approveWords = defaultApproveWords }: Wording) => approveWords;
const declining = ({ declineWords = defaultDeclineWords }: Wording) => declineWords;

function answersTo(question: Wording): string[] {
	const { responseType, choices = [] } = question;
	if (responseType === 'approval') return [...approving(question), ...declining(question)];
	return responseType === 'choice' ? choices : [];
}

/**
 * Returns the question's expected answers that would count as an opt-out in any other message. The answers are
 * normalized.
 */
export function optOutWordsFor(question: Wording): string[] {
	return answersTo(question)
		.filter((answer) => optOutIn(answer) !== undefined)
		.map(normalizeWords);
}

function readAnswer(question: Wording, text: string): ReplyMeaning {
	const { responseType, choices = [] } = question;
	if (responseType === 'freeText') return {};
	if (responseType === 'choice') {
		const choice = choiceOf(choices, text, textsSentBy(question));
		return choice === undefined ? { matched: false } : { matched: true, choice };
	}
	const words = { approving: approving(question), declining: declining(question) };
	const approved = decisionIn(text, words);
	return { matched: approved !== undefined, approved: approved === true };
}

export type ReplyKind =
	| { kind: 'other' }
	/** The contact opted out. `text` is absent if they used a link. */
	| { kind: 'optOut'; text?: string }
	| { kind: 'answer'; text: string; answer: ReplyMeaning }
	/** The text isn't an answer, and the question stays open. */
	| { kind: 'noMatch' };
/** A reply that ends the question. */
export type ClosingReply = Extract<ReplyKind, { kind: 'answer' | 'optOut' }>;

const isBetween = (
	{ contact, senders }: Question,
	parties: ReturnType<typeof partiesOfSent>,
): boolean => isSamePerson(parties.contact, contact) && senders.includes(parties.sender);

/**
 * Decides how an event relates to a question. Only the person who was asked can answer, and only by a message to the
 * number that asked.
 */
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

/** Whether the contact opted out by link or with STOP. Such an opt-out ends every question to the contact. */
export function endsAllQuestions(reply: ReplyKind): boolean {
	return reply.kind === 'optOut' && (reply.text === undefined || isStop(reply.text));
}

/**
 * Reclassifies a reply that belongs to another question (the owner). For this question, it only matters if it is an
 * opt-out that isn't one of the owner's expected answers (`ownersWords`). Anything else becomes `other`.
 */
export function classifyAsOlder(reply: ReplyKind, ownersWords: string[]): ReplyKind {
	return 'text' in reply && reply.text !== undefined && asksToStop(reply.text, ownersWords)
		? { kind: 'optOut', text: reply.text }
		: { kind: 'other' };
}
