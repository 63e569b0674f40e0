import { ApiError, NoAnswerError, UnexpectedResponseError } from './errors';

/** Whether what failed may work later. Anything else, as a key that is refused or may not read, stays as it is. */
export const mayPass = (error: unknown): boolean =>
	error instanceof NoAnswerError ||
	error instanceof UnexpectedResponseError ||
	(error instanceof ApiError && (error.fields.status >= 500 || error.fields.status === 429));
