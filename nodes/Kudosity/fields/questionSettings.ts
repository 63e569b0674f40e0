import { InputError } from '../api/errors';
import type { matchByValues, Question } from '../events/question';
import { plainWords } from '../events/plainText';
import { defaultApproveWords, defaultDeclineWords } from '../events/replyWords';
import type { InputOf } from './field';
import type { questionFields } from './questionFields';
import type { matchBy, questionOptions } from './questionOptions';
import { waitMsOf } from './waitLimit';

export type QuestionInput = InputOf<typeof questionFields> & {
	options: Partial<InputOf<readonly [...typeof questionOptions, typeof matchBy]>>;
};

/** Who a question is for, and where the reply comes to. */
export type Parties = Pick<Question, 'contact' | 'senders'>;

export type QuestionSettings = Omit<Question, keyof Parties | 'ask' | 'reference'> & {
	waitMs: number;
	matchBy: (typeof matchByValues)[number];
};

/** Left out where they are the usual ones. */
const wordsOfApproval = ({ options: { approveWords, declineWords } }: QuestionInput) => {
	const declining = new Set((declineWords ?? defaultDeclineWords).map(plainWords));
	const approving = (approveWords ?? defaultApproveWords).map(plainWords);
	if (!approving.some((word) => declining.has(word))) return { approveWords, declineWords };
	throw new InputError(
		"'Options > Approve Words' and 'Options > Decline Words' have a word in common",
		'Take it out of one of them',
	);
};

/**
 * What the fields ask for. `isReview`: a person approves what an agent wants to do, so that it is an approval,
 * whatever the fields say.
 *
 * @throws InputError the words for yes and no are not different
 */
export const questionSettingsOf = (input: QuestionInput, isReview: boolean): QuestionSettings => {
	const { choices, options } = input;
	const replyType = isReview ? 'approval' : input.replyType;
	return {
		replyType,
		...(replyType === 'choice' && { choices }),
		...(replyType === 'approval' && wordsOfApproval(input)),
		onNoMatch: options.onNoMatch ?? 'keepWaiting',
		explanation: options.explanation,
		waitMs: waitMsOf(input),
		matchBy: options.matchBy ?? 'person',
	};
};
