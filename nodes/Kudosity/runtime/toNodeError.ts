import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeApiError as NodeApiErrorType,
} from 'n8n-workflow';
import {
	ApiError,
	CancelledError,
	InputError,
	NoAnswerError,
	NotSentError,
	UnexpectedResponseError,
} from '../api/errors';
import { textOfApiError } from './errorTexts';
import { OutcomeUnknownError } from './sending';

type NodeFailure = NonNullable<ConstructorParameters<typeof NodeApiErrorType>[2]>['failure'];

const failureOf = ({ fields: { status } }: ApiError): NodeFailure => {
	if (status === 401 || status === 403) return { cause: 'credential-invalid' };
	if (status === 429) return { cause: 'rate-limited' };
	return status >= 500 ? { cause: 'temporarily-unavailable' } : undefined;
};

const unknownRemedy =
	'It may have been carried out. Look for it in your Kudosity account before you repeat it. Retry On Fail leaves it alone; for messages, the option Repeat When Outcome Is Unknown changes that';

const noAnswerText = ({ code, outcome }: NoAnswerError) =>
	outcome === 'refused'
		? {
				message: 'Kudosity cannot be reached',
				description: `Check the credential's base URL and the network of n8n (${code})`,
			}
		: {
				message: 'Kudosity did not answer',
				description: `The connection broke or took longer than 30 seconds (${code}). Try again later`,
			};

const unexpectedText = ({ status, reason }: UnexpectedResponseError) => ({
	message: 'Kudosity sent an answer that cannot be read',
	description: `It was ${reason} (status ${status}). Check the credential's base URL, and whether a proxy changes the answers`,
});

type ErrorText = { message: string; description: string; httpCode?: string; failure?: NodeFailure };

/** What happened and how to go on, for every error that a request can end with. */
const textOf = (error: unknown): ErrorText | undefined => {
	if (error instanceof OutcomeUnknownError) {
		const cause = textOf(error.reason);
		return {
			message: `Outcome unknown: ${cause?.message ?? 'the request broke off'}`,
			description: unknownRemedy,
			httpCode: cause?.httpCode,
		};
	}
	if (error instanceof ApiError) {
		const { status } = error.fields;
		return { ...textOfApiError(error.fields), httpCode: String(status), failure: failureOf(error) };
	}
	if (error instanceof UnexpectedResponseError) return unexpectedText(error);
	if (error instanceof NoAnswerError) return noAnswerText(error);
	return undefined;
};

/** Anything raised while an item ran, as the one error that n8n shows. The only mapping there is. */
export const toNodeError = (
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError => {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof NotSentError) return toNodeError(node, error.reason, itemIndex);
	if (error instanceof InputError) {
		return new NodeOperationError(node, error.message, { itemIndex, description: error.remedy });
	}
	const text = textOf(error);
	if (text) return new NodeApiError(node, {} satisfies JsonObject, { ...text, itemIndex });
	if (error instanceof CancelledError) {
		// n8n marks an execution as canceled by this word in the message.
		return new NodeOperationError(node, 'The execution was canceled', { itemIndex });
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
};
