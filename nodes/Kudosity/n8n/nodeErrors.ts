import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	ApiError,
	CancelledError,
	InputError,
	NoAnswerError,
	NoRecipientError,
	NotStartedError,
	NotTriedError,
	CredentialUnavailableError,
	OutcomeUnknownError,
	UnexpectedResponseError,
	QuestionNotSentError,
} from '../api/errors';
import { joinSentences } from '../lib/text';
import { textOfApiError, textOfNoAnswer, textOfNoRecipient } from './errorTexts';
import { failureCodeOf } from '../api/failureCodeOf';
import { type FailureCode, retryableCodes } from '../api/failureCodes';

type NodeFailure = NonNullable<ConstructorParameters<typeof NodeApiError>[2]>['failure'];

const failures: Partial<Record<FailureCode, NodeFailure>> = {
	credential: { cause: 'credential-invalid' },
	rate_limited: { cause: 'rate-limited' },
	unavailable: { cause: 'temporarily-unavailable' },
};

const unknownRemedy =
	"Check in Kudosity whether the request went through before you run this item again. To let 'Retry On Fail' send a message again anyway, set the option 'If Not Confirmed'";

const otherUnknownRemedy =
	'This item was not sent and can be run again. The other message may have been sent: check in Kudosity before you send that one again';

const unexpectedText = ({ status, reason, listMayHaveChanged }: UnexpectedResponseError) => ({
	message: 'Kudosity sent a response that could not be read',
	description: `The response was ${reason} (status ${status}). ${
		listMayHaveChanged
			? "The list may have changed while it was being read: try again later. If that doesn't help, check"
			: 'Check'
	} 'Base URL' in the credential, and whether a proxy changes responses`,
});

function refusalOf({ refusal }: OutcomeUnknownError): string[] {
	const { message } = (refusal instanceof InputError ? refusal : textOf(refusal)) ?? {};
	return message === undefined ? [] : [`The last attempt was rejected: ${message}`];
}

/** Describes why it is unknown whether a request took effect. */
function describeUnconfirmed(reason: unknown): string {
	if (reason instanceof ApiError) return `status ${reason.fields.status}`;
	if (reason instanceof UnexpectedResponseError) return 'unreadable response';
	return reason instanceof NoAnswerError ? 'no response' : 'connection lost';
}

type ErrorText = {
	message: string;
	description: string;
	httpCode?: string;
	failure?: NodeFailure;
};

function textOf(error: unknown): ErrorText | undefined {
	if (error instanceof OutcomeUnknownError) {
		const cause = textOf(error.reason);
		return {
			message: `Kudosity did not confirm the request (${describeUnconfirmed(error.reason)}): it may have gone through`,
			description: joinSentences(unknownRemedy, ...refusalOf(error)),
			httpCode: cause?.httpCode,
		};
	}
	if (error instanceof ApiError) {
		const text = textOfApiError(error.fields);
		const httpCode = String(error.fields.status);
		return { ...text, httpCode, failure: failures[failureCodeOf(error)] };
	}
	if (error instanceof NoRecipientError) return textOfNoRecipient(error.numbers);
	if (error instanceof UnexpectedResponseError) return unexpectedText(error);
	if (error instanceof NoAnswerError) return textOfNoAnswer(error);
	return undefined;
}

/**
 * Returns an error's text, for callers that output the text instead of throwing the error.
 *
 * @throws the given error, if it is neither a failed request nor an invalid value
 */
export function textOfFailure(error: unknown): Pick<ErrorText, 'message' | 'description'> {
	if (error instanceof InputError) return { message: error.message, description: error.remedy };
	const text = textOf(error);
	if (!text) throw error;
	return text;
}

function withCode<NodeError extends NodeApiError | NodeOperationError>(
	code: FailureCode,
	error: NodeError,
	canRetry = retryableCodes.includes(code),
): NodeError {
	error.context.code = code;
	error.context.canRetry = canRetry;
	// n8n marks an execution as canceled if its error contains this word, even as part of a column's or node's name. A
	// zero-width character in the word prevents that.
	if (code !== 'canceled') error.message = error.message.replaceAll('canceled', 'cancel\u2060ed');
	return error;
}

function createNodeError(node: INode, error: unknown, itemIndex: number | undefined) {
	if (error instanceof InputError) {
		const options = { itemIndex, description: error.remedy };
		const nodeError = new NodeOperationError(node, error.message, options);
		const { nextAllowedAt } = error.notes;
		if (nextAllowedAt !== undefined) nodeError.context.nextAllowedAt = nextAllowedAt;
		return nodeError;
	}
	const text = textOf(error);
	if (text) return new NodeApiError(node, {} satisfies JsonObject, { ...text, itemIndex });
	if (error instanceof CancelledError) {
		return new NodeOperationError(node, 'The execution was canceled', { itemIndex });
	}
	const unforeseen = error instanceof Error ? error : String(error);
	return new NodeOperationError(node, unforeseen, { itemIndex });
}

/** Turns any error with which an item can fail into an n8n error. `context.code` is one of `failureCodes`. */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		error.context.code ??= 'unexpected' satisfies FailureCode;
		return error;
	}
	if (error instanceof QuestionNotSentError) {
		const nodeError = toNodeError(node, error.reason, itemIndex);
		nodeError.message = `The question was not sent, because its webhook failed: ${nodeError.message}`;
		return nodeError;
	}
	if (error instanceof NotTriedError) {
		const nodeError = toNodeError(node, error.reason, itemIndex);
		nodeError.message = `Not tried: ${nodeError.message}`;
		nodeError.context.tried = false;
		return nodeError;
	}
	if (error instanceof NotStartedError && error.reason !== undefined) {
		if (error.reason instanceof CancelledError) return toNodeError(node, error.reason, itemIndex);
		const nodeError = toNodeError(node, error.reason, itemIndex);
		nodeError.message = `Not sent because another request could not be completed: ${nodeError.message}`;
		if (error.reason instanceof OutcomeUnknownError) nodeError.description = otherUnknownRemedy;
		return withCode(failureCodeOf(error), nodeError);
	}
	if (error instanceof CredentialUnavailableError) {
		return withCode(failureCodeOf(error), toNodeError(node, error.reason, itemIndex));
	}
	const canRetry = error instanceof InputError ? error.notes.canRetry : undefined;
	return withCode(failureCodeOf(error), createNodeError(node, error, itemIndex), canRetry);
}
