import {
	asksBack,
	consistOf,
	contains,
	isAmong,
	isJoined,
	maxTokens,
	tokensIn,
	withoutCourtesy,
} from './replyWords';

/** Default words in several languages, shown in the panel for users to edit. */
export const defaultApproveWords =
	'Yes, Yes please, Y, Yep, Yeah, Yup, OK, Okay, Sure, Approve, Approved, Confirm, Confirmed, 👍, Ja, Oui, Sí, Sim, Да, はい, 好, हाँ, نعم'.split(
		', ',
	);

export const defaultDeclineWords =
	'No, No thanks, No thank you, N, Nope, Nah, Decline, Declined, Reject, 👎, Nein, Nee, Non, Não, Нет, いいえ, 不, नहीं, لا'.split(
		', ',
	);

/**
 * Returns the decision in a text: true if it approves, false if it declines, undefined if neither is clear. The text
 * must be one of the words, or several words that mean the same: “Yes please 👍”, but not “Yes 👎”.
 */
export function decisionIn(
	text: string,
	{ approving, declining }: Record<'approving' | 'declining', readonly string[]>,
): boolean | undefined {
	if (isAmong(approving, text)) return true;
	if (isAmong(declining, text)) return false;
	const tokens = tokensIn(text);
	if (asksBack(text) || tokens.length > maxTokens) return undefined;
	const [yes, no] = [approving.map(tokensIn), declining.map(tokensIn)] as const;
	for (const said of [tokens, withoutCourtesy(tokens, [...yes, ...no])]) {
		const approves = consistOf(said, yes) || isJoined(said, approving);
		const declines = consistOf(said, no) || isJoined(said, declining);
		if (approves && !contains(said, no)) return true;
		if (declines && !contains(said, yes)) return false;
	}
	return undefined;
}

const defaultWords = { approving: defaultApproveWords, declining: defaultDeclineWords };

/** The maximum length of a text that is read as an answer. Longer texts say more than yes or no. */
const maxAnswerLength = 60;

/**
 * Returns whether a message means yes or no by itself, whatever the question was. Uses the default words of all
 * languages. Returns undefined for anything else.
 */
export function answerIn(text: string): 'yes' | 'no' | undefined {
	const decision = text.length > maxAnswerLength ? undefined : decisionIn(text, defaultWords);
	return decision === undefined ? undefined : decision ? 'yes' : 'no';
}
