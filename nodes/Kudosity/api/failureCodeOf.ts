import {
	ApiError,
	CancelledError,
	CredentialUnavailableError,
	InputError,
	NoAnswerError,
	NoRecipientError,
	NotTriedError,
	OutcomeUnknownError,
	QuestionNotSentError,
	UnexpectedResponseError,
} from './errors';
import type { FailureCode } from './failureCodes';
import { noRecipientCodeOf, refusalCodeOf } from './refusalCodes';

export function failureCodeOf(error: unknown): FailureCode {
	if (error instanceof InputError) return error.code;
	if (error instanceof CredentialUnavailableError) return 'credential';
	if (error instanceof QuestionNotSentError || error instanceof NotTriedError) {
		return failureCodeOf(error.reason);
	}
	if (error instanceof CancelledError) return 'canceled';
	if (error instanceof OutcomeUnknownError) return 'outcome_unknown';
	if (error instanceof ApiError) return refusalCodeOf(error.fields);
	if (error instanceof NoRecipientError) return noRecipientCodeOf(error.numbers);
	if (error instanceof UnexpectedResponseError) return 'unreadable_answer';
	if (error instanceof NoAnswerError) {
		return error.outcome === 'refused' ? 'unreachable' : 'no_answer';
	}
	return 'unexpected';
}
