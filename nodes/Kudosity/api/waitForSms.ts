import type { Clock } from './clock';
import { getSms, longestMissingMs, type Sms } from './endpoints/sms';
import { ApiError } from './errors';
import { pollUntil } from './polling';
import type { Service } from './service';

const intervalMs = 5_000;

/** A 404 without words of the service is one of the address, and does not pass. */
const isMissing = (error: unknown): error is ApiError =>
	error instanceof ApiError && error.fields.status === 404 && error.fields.detail !== undefined;

type Look = { message: Sms } | { error: ApiError };

/**
 * A message as soon as the service knows it.
 *
 * @throws ApiError it is still missing when every message would be there
 */
export const waitForSms = async (
	{ call, clock }: Service & { clock: Clock },
	id: string,
): Promise<Sms> => {
	const check = async (): Promise<Look> =>
		await call(getSms, { id }).then(
			(message) => ({ message }),
			(error: unknown) => {
				if (isMissing(error)) return { error };
				throw error;
			},
		);
	const isDone = (look: Look) => 'message' in look;
	const timeoutMs = longestMissingMs;
	const { answer } = await pollUntil({ check, isDone, intervalMs, timeoutMs, clock });
	if ('error' in answer) throw answer.error;
	return answer.message;
};
