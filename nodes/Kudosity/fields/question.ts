import { InputError } from '../api/errors';
import {
	matchByValues,
	onUnexpectedReplyValues,
	type Question,
	responseTypes,
} from '../events/question';
import { choiceOf } from '../events/choice';
import { defaultApproveWords, defaultDeclineWords } from '../events/decision';
import { asksForNumber } from '../events/numberRequest';
import { isStop } from '../events/optOutText';
import { normalizeWords } from '../lib/text';
import { dayMs, hourMs, minuteMs } from '../lib/time';
import {
	field,
	type InputOf,
	messageTextField,
	refuse,
	shownWhen,
	smsTextField,
	textField,
	required,
} from './field';
import { senderField, smsText } from './message';
import {
	optionalOneOf,
	oneOf,
	optional,
	senderNumber,
	textList,
	wholeNumber,
	wordList,
	wordsWithSlashes,
} from './readers';

/** Refuses STOP as an answer: it opts the recipient out, so it could never be chosen. */
export function answerable(words: string[]): string[] {
	return words.some(isStop)
		? refuse(
				"includes STOP, which opts the recipient out, so it can't be used as a reply",
				'Use another word, e.g. Halt',
			)
		: words;
}

const unitMs = { minutes: minuteMs, hours: hourMs, days: dayMs } as const;
const units = ['minutes', 'hours', 'days'] as const;

/** Reads the time to wait. It is always finite, because the webhook of an endless wait could never be cleaned up. */
const readAmount = (value: unknown): number =>
	wholeNumber({ min: 1, max: 10_000 })(value) ??
	refuse('is empty', 'Enter how long to wait, e.g. 24');

const waitAmount = field(readAmount, {
	displayName: 'Wait Up To',
	name: 'waitAmount',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	required: true,
	default: 24,
	description:
		'How long to wait for a reply. After that, the workflow continues with <code>timedOut: true</code>.',
});

const waitUnit = field(oneOf(units), {
	displayName: 'Unit',
	name: 'waitUnit',
	type: 'options',
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
	],
	default: 'hours',
	description: 'The unit of the wait time',
});

export const replySender = senderField(
	{
		description:
			"One of your numbers that can receive SMS. Recipients can't reply to a sender name.",
		by: 'Number',
	},
	senderNumber,
);

const responseType = field(oneOf(responseTypes), {
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	options: [
		{
			name: 'Approval',
			value: 'approval',
			description: 'A reply that means yes or no, e.g. “Yes” or “No thanks”',
		},
		{
			name: 'Choice',
			value: 'choice',
			description: 'A reply with the text or the number of a choice that you list',
		},
		{ name: 'Free Text', value: 'freeText', description: 'Any text' },
	],
	default: 'approval',
	description:
		'Which replies to accept. In your message, tell recipients what to reply, e.g. “Reply YES or NO”.',
});

const minChoices = 2;
const maxChoices = 99;

/**
 * Reads the choices. A single text may contain all of them. They must differ after normalization, because replies are
 * normalized, too.
 */
function readChoices(value: unknown): string[] {
	const texts = textList(value);
	const choices = texts.length === 1 ? wordList(texts) : texts;
	if (choices.length < minChoices || choices.length > maxChoices) {
		return refuse(
			`must have ${minChoices} to ${maxChoices} choices`,
			'Add the replies to choose from, e.g. Morning and Afternoon',
		);
	}
	const plain = choices.map(normalizeWords);
	if (new Set(plain).size < choices.length || plain.includes('')) {
		return refuse('has choices that look the same', 'Use different words for each choice');
	}
	return answerable(choices);
}

const choices = shownWhen(
	{ responseType: ['choice'] },
	messageTextField(
		field(readChoices, {
			displayName: 'Choices',
			name: 'choices',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Choice' },
			required: true,
			default: [],
			placeholder: 'e.g. Morning, Afternoon',
			description:
				"The replies to accept. Case, spaces and punctuation are ignored. People can also reply with a choice's number.",
		}),
	),
);

/** The fields of a question, for all channels. */
export const questionFields = [responseType, choices, waitAmount, waitUnit] as const;

function answerWords(value: unknown): string[] | undefined {
	const words = wordsWithSlashes(value);
	return words.length === 0 ? undefined : answerable(words);
}

const approveWords = required(
	textField(answerWords, {
		displayName: 'Approve Words',
		name: 'approveWords',
		default: defaultApproveWords.join(', '),
		placeholder: 'e.g. Yes, OK, Book it',
		description:
			'Comma-separated replies that count as approval. Case, accents, spaces and punctuation (except question marks) are ignored.',
	}),
);

const declineWords = required(
	textField(answerWords, {
		displayName: 'Decline Words',
		name: 'declineWords',
		default: defaultDeclineWords.join(', '),
		placeholder: 'e.g. No, Not now',
		description:
			'Comma-separated replies that count as a no. Case, accents, spaces and punctuation (except question marks) are ignored.',
	}),
);

const onUnexpectedReply = field(optionalOneOf(onUnexpectedReplyValues), {
	displayName: 'On Unexpected Reply',
	name: 'onUnexpectedReply',
	type: 'options',
	options: [
		{
			name: 'Continue',
			value: 'continue',
			description: 'Continue with <code>matched: false</code> and the text of the reply',
		},
		{
			name: 'Keep Waiting',
			value: 'keepWaiting',
			description: 'Wait for another reply until the time limit',
		},
	],
	default: 'keepWaiting',
	description: 'What to do with a reply that matches none of the accepted replies',
});

const unexpectedReplyMessage = textField(optional(smsText), {
	displayName: 'Unexpected Reply Message',
	name: 'unexpectedReplyMessage',
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Please reply YES or NO',
	description:
		'Text to send once if a reply is not understood, e.g. “Please reply YES or NO”. Charged like any other message.',
});

/**
 * Which replies count. RCS and WhatsApp don't have this option, because their replies don't identify the message that
 * came before them.
 */
export const matchBy = field(optionalOneOf(matchByValues), {
	displayName: 'Match Replies By',
	name: 'matchBy',
	type: 'options',
	options: [
		{
			name: 'Any Message',
			value: 'anyMessage',
			description: 'Any message from the recipient to this sender (recommended)',
		},
		{
			name: 'This Message Only',
			value: 'thisMessage',
			description:
				'Ignores a reply if you sent the person another message after the question. Use this if hundreds of questions are open.',
		},
	],
	default: 'anyMessage',
	description: 'Which incoming messages count as a reply to this question',
});

/**
 * This condition is also met when a person reviews an AI agent's tool call, because n8n then sets the response type to
 * Approval.
 */
const ofApproval = { '/responseType': ['approval'] };
const ofExpectedReplies = { '/responseType': ['approval', 'choice'] };

/** The options of a question, for all channels. */
export const questionOptions = [
	shownWhen(ofApproval, approveWords),
	shownWhen(ofApproval, declineWords),
	shownWhen(ofExpectedReplies, onUnexpectedReply),
	shownWhen(ofExpectedReplies, smsTextField(unexpectedReplyMessage)),
] as const;

export type QuestionInput = InputOf<typeof questionFields> & {
	options: Partial<InputOf<readonly [...typeof questionOptions, typeof matchBy]>>;
};

export type Parties = Pick<Question, 'contact' | 'senders' | 'sent'>;

export type QuestionSettings = Omit<Question, keyof Parties | 'ask' | 'reference'> & {
	waitMs: number;
	matchBy: (typeof matchByValues)[number];
};

/**
 * Reads the words that approve and decline. Undefined words mean the defaults.
 *
 * @throws InputError - a word both approves and declines
 */
function readApprovalWords({ options: { approveWords, declineWords } }: QuestionInput) {
	const declining = new Set((declineWords ?? defaultDeclineWords).map(normalizeWords));
	const approving = (approveWords ?? defaultApproveWords).map(normalizeWords);
	if (!approving.some((word) => declining.has(word))) return { approveWords, declineWords };
	throw new InputError(
		"'Options > Approve Words' and 'Options > Decline Words' have a word in common",
		'Remove the word from one of the two options',
	);
}

/** @throws InputError - the message asks for a reply with a number that could not be understood */
export function refuseUnclearNumbers(
	{ responseType, choices = [], approveWords = [], declineWords = [] }: QuestionSettings,
	sent: readonly string[],
): void {
	if (responseType === 'freeText' || !sent.some(asksForNumber)) return;
	const problem =
		"'Message' asks for a reply with a number such as “1”, but this reply would not be understood";
	if (responseType === 'choice') {
		if (choiceOf(choices, '1', sent) !== undefined) return;
		throw new InputError(
			problem,
			`Use the exact words of each choice next to its number, e.g. “Reply 1 for ${choices[0]}, 2 for ${choices[1]}”`,
		);
	}
	if ([...approveWords, ...declineWords].includes('1')) return;
	throw new InputError(
		problem,
		"Ask for YES or NO, add the numbers to 'Options > Approve Words' and 'Options > Decline Words', or set 'Response Type' to 'Choice'",
	);
}

/**
 * Reads the settings of a question. `isReview` means that a person reviews an AI agent's tool call. A review is always
 * an approval, no matter which response type is set.
 *
 * @throws InputError - a word both approves and declines
 */
export function readQuestionSettings(input: QuestionInput, isReview: boolean): QuestionSettings {
	const { choices, options } = input;
	const responseType = isReview ? 'approval' : input.responseType;
	return {
		responseType,
		...(responseType === 'choice' && { choices }),
		...(responseType === 'approval' && readApprovalWords(input)),
		onUnexpectedReply: options.onUnexpectedReply ?? 'keepWaiting',
		unexpectedReplyMessage: options.unexpectedReplyMessage,
		waitMs: input.waitAmount * unitMs[input.waitUnit],
		matchBy: options.matchBy ?? 'anyMessage',
	};
}
