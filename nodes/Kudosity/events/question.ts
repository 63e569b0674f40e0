import { z } from 'zod/v4';
import { isJson } from '../lib/json';
import type { InboundMessage } from './schema';
import {
	asksToStop,
	choiceOf,
	defaultApproveWords,
	defaultDeclineWords,
	isAmong,
	isStop,
	isStopWord,
} from './replyText';
import { normalizeWords } from '../lib/text';
import type { ReceivedEvent } from './parse';
import { partiesOfReceived, partiesOfSent } from './simplify';

export const replyTypes = ['freeText', 'approval', 'choice'] as const;
export const onNoMatchValues = ['keepWaiting', 'continue'] as const;
export const matchByValues = ['person', 'message'] as const;

const texts = z.array(z.string());

const createSchema = () =>
	z.object({
		/** Names the question among all others; signed into the address that its reply goes to. */
		ask: z.string(),
		/** The reference of its message. */
		reference: z.string(),
		/** E.164 digits without plus. */
		contact: z.string(),
		/** What of ours the reply may go to: the sender, and that of an SMS in its place. */
		senders: texts,
		replyType: z.enum(replyTypes),
		choices: texts.optional(),
		approveWords: texts.optional(),
		declineWords: texts.optional(),
		onNoMatch: z.enum(onNoMatchValues),
		explanation: z.string().optional(),
	});
let createdSchema: ReturnType<typeof createSchema> | undefined;

/** Made when the first reply arrives, since n8n loads all nodes at its start. */
const questionSchema = () => (createdSchema ??= createSchema());

/** An open question: plain JSON, parked with its execution. */
export type Question = z.infer<ReturnType<typeof createSchema>>;

/** What anybody may have parked. Undefined when it is no question. */
export const readQuestion = (value: unknown): Question | undefined =>
	questionSchema().safeParse(value).data;

/** What a reply says. `matched` is absent where any text is an answer. */
export type ReplyMeaning = { matched?: boolean; approved?: boolean; choice?: string };

type Wording = Pick<Question, 'replyType' | 'choices' | 'approveWords' | 'declineWords'>;

const approving = ({ approveWords = defaultApproveWords }: Wording) => approveWords;
const declining = ({ declineWords = defaultDeclineWords }: Wording) => declineWords;

/** Every text that is an answer. */
const answersTo = (question: Wording): string[] => {
	const { replyType, choices = [] } = question;
	if (replyType === 'approval') return [...approving(question), ...declining(question)];
	return replyType === 'choice' ? choices : [];
};

/** The stop words that are answers to a question. */
export const stopWordsFor = (question: Wording): string[] =>
	answersTo(question).filter(isStopWord).map(normalizeWords);

/** What a text answers to a question. */
const readAnswer = (question: Wording, text: string): ReplyMeaning => {
	const { replyType, choices = [] } = question;
	if (replyType === 'freeText') return {};
	if (replyType === 'choice') {
		const choice = choiceOf(choices, text);
		return choice === undefined ? { matched: false } : { matched: true, choice };
	}
	const approved = isAmong(approving(question), text);
	return { matched: approved || isAmong(declining(question), text), approved };
};

/** What an event is to a question. */
export type ReplyKind =
	| { kind: 'other' }
	/** The person opted out, by a stop word or by a link. */
	| { kind: 'optOut'; text?: string }
	| { kind: 'answer'; text: string; answer: ReplyMeaning }
	/** The person wrote something that is no answer, and the question stays open. */
	| { kind: 'noMatch' };

const isBetween = (
	{ contact, senders }: Question,
	parties: ReturnType<typeof partiesOfSent>,
): boolean => parties.contact === contact && senders.includes(parties.sender);

/** It may be to any message, and says nothing by itself. */
const isReaction = ({ content_type: type, content }: InboundMessage): boolean =>
	type?.trim().toUpperCase() === 'REACTION' || (isJson(content) && 'reaction' in content);

/** Nobody knows what it says: it may be a stop word. */
const isUnread = ({ unreadContent }: InboundMessage): boolean => unreadContent !== undefined;

/**
 * What an event is to a question: only the person who was asked can answer, and only to the number that asked.
 * Pure.
 */
export const classifyReply = (question: Question, { readable }: ReceivedEvent): ReplyKind => {
	const payload = readable?.payload;
	if (payload?.kind === 'optOut') {
		const { source_message: sent } = payload.optOut;
		return { kind: isBetween(question, partiesOfSent(sent)) ? 'optOut' : 'other' };
	}
	if (payload?.kind !== 'inbound') return { kind: 'other' };
	const { inbound, words: text } = payload;
	if (!isBetween(question, partiesOfReceived(inbound))) return { kind: 'other' };
	if (isReaction(inbound) || (text === '' && isUnread(inbound))) return { kind: 'other' };
	if (asksToStop(text, answersTo(question))) return { kind: 'optOut', text };
	const answer = readAnswer(question, text);
	return answer.matched === false && question.onNoMatch === 'keepWaiting'
		? { kind: 'noMatch' }
		: { kind: 'answer', text, answer };
};

/** Whether a person opted out whatever the newest question is: by a link, or by STOP. */
export const endsAllQuestions = (verdict: ReplyKind): boolean =>
	verdict.kind === 'optOut' && (verdict.text === undefined || isStop(verdict.text));

/**
 * What an event is to a question beside a newer one, which gets the reply: nothing. But a stop word that is no answer
 * to the newest one ends all of them.
 */
export const classifyAsOlder = (verdict: ReplyKind, wordsOfNewest: string[] = []): ReplyKind =>
	'text' in verdict && verdict.text !== undefined && asksToStop(verdict.text, wordsOfNewest)
		? { kind: 'optOut', text: verdict.text }
		: { kind: 'other' };
