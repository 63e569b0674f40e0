import { ApiError, InputError, NoAnswerError, UnexpectedResponseError } from '../api/errors';
import { textOfApiError } from '../runtime/errorTexts';
import { sentences } from '../runtime/sentences';

/** What the credential's dialog says of a test that failed: what happened, and how to go on. */
export type TestedCredential = {
	host: string;
	/** What to say of a key that the service does not accept. */
	wrongKey: string;
	/** What to say when the key is known and not allowed to do this. */
	forbidden?: string;
	timeoutSeconds: number;
};

const checkBaseUrl =
	"Check 'Base URL'; leave it as it was at first unless Kudosity has given you another one";

/** Node's names of what can be wrong with a certificate. */
const isAboutCertificate = (code: string): boolean => /CERT|SIGNATURE|^ERR_(TLS|SSL)/.test(code);

const noAnswerText = (code: string, { host, timeoutSeconds }: TestedCredential): string => {
	if (isAboutCertificate(code)) {
		return sentences(`n8n does not trust the certificate of ${host} (${code})`, checkBaseUrl);
	}
	switch (code) {
		case 'BLOCKED_BY_N8N':
			return sentences(`n8n blocks requests to ${host}`, checkBaseUrl);
		case 'ENOTFOUND':
			return sentences(`There is no host ${host}`, checkBaseUrl);
		case 'EAI_AGAIN':
			return sentences(
				`The host ${host} could not be looked up`,
				`${checkBaseUrl}, and the network of n8n`,
			);
		case 'ECONNREFUSED':
			return sentences(`${host} refuses connections`, checkBaseUrl);
		case 'ECONNABORTED':
		case 'ETIMEDOUT':
			return sentences(
				`${host} did not answer within ${timeoutSeconds} seconds`,
				`${checkBaseUrl}, or try again later`,
			);
		default:
			return sentences(
				`The connection to ${host} broke (${code})`,
				`${checkBaseUrl}, and the network of n8n`,
			);
	}
};

const notKudosity = (host: string): string =>
	sentences(`${host} is not the Kudosity API`, checkBaseUrl);

const refusalText = (
	{ fields }: ApiError,
	{ host, wrongKey, forbidden }: TestedCredential,
): string => {
	const { code, message, description } = textOfApiError(fields);
	if (code === 'credential') return wrongKey;
	if (code === 'not_allowed' && forbidden) return forbidden;
	if (code === 'base_url' || code === 'not_found') return notKudosity(host);
	return sentences(message, description);
};

/** @throws what is no failure of a request */
export const credentialTestText = (error: unknown, tested: TestedCredential): string => {
	if (error instanceof InputError) return sentences(error.message, error.remedy);
	if (error instanceof NoAnswerError) return noAnswerText(error.code, tested);
	if (error instanceof ApiError) return refusalText(error, tested);
	if (error instanceof UnexpectedResponseError) {
		return sentences(`The answer is ${error.reason}`, notKudosity(tested.host));
	}
	throw error;
};
