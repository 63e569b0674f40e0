/** An error answer, in the format of its API. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: unknown,
		readonly headers: Record<string, string> = {},
	) {
		super(`Refused with status ${status}`);
	}
}

const v1Descriptions = {
	AUTH_FAILED_NO_DATA: 'You have not provided auth data.',
	AUTH_FAILED: 'The auth data you have provided is invalid.',
	NOT_IMPLEMENTED: 'The method you are requesting is unsupported.',
	OVER_LIMIT: 'You have exceeded the request limit.',
	LEDGER_ERROR: 'There was a problem with payment. Please check the output for more details.',
	BAD_CALLER_ID: 'The sender ID you have set is not valid or number is inactive or expired',
	LIST_EMPTY: "The list you provided doesn't have active recipients.",
	NO_ACCESS: "You don't have access to this feature",
	FAILED: 'The request could not be processed.',
	KEY_EXISTS: 'The resource with this key already exists.',
	ALREADY_SENT: 'This message is already sent or can not be cancelled',
	MISSING_PARAM: 'Field parameter is missing (eg. field_n)',
	BAD_MOBILE: 'The mobile provided is invalid',
	BAD_MOBILE_COUNTRY: 'The country of the mobile provided is unavailable',
	OPTOUT: 'The recipient provided was previously opted out',
	DUPLICATE_DELETED: 'The recipient provided was previously deleted',
	FIELD_EMPTY: 'Required field is empty',
	FIELD_INVALID: 'Field is invalid',
	NOT_FOUND: 'The resource does not exist',
	RECIPIENTS_ERROR: 'No valid recipients left after validation.',
} as const;

type V1Code = keyof typeof v1Descriptions;

/** The v1 form: an object `error` with `code` and `description`. */
export const v1Body = (code: string, description: unknown) => ({ error: { code, description } });

export const v1Refusal = (
	status: number,
	code: V1Code,
	description: unknown = v1Descriptions[code],
) => new Refusal(status, v1Body(code, description));

/** v1 answers 400 even when something does not exist. */
export const v1FieldRefusal = (code: V1Code, description: unknown) =>
	v1Refusal(400, code, description);

/** The plain form of the webhook and SMS-by-id operations: `error` is a sentence. */
export const plainRefusal = (status: number, error: string) => new Refusal(status, { error });

const problems: Record<number, { fragment: string; title: string; detail: string }> = {
	400: {
		fragment: 'input-validation',
		title: 'Invalid Request',
		detail: 'Request validation failed',
	},
	401: {
		fragment: 'unauthorized',
		title: 'API Authentication Failed',
		detail: 'The API key is missing or invalid',
	},
	403: {
		fragment: 'forbidden',
		title: 'Forbidden',
		detail: 'Access to this resource is forbidden',
	},
	404: {
		fragment: 'not-found',
		title: 'Not Found',
		detail: 'The requested resource was not found',
	},
	409: {
		fragment: 'conflict',
		title: 'Conflict',
		detail: 'The request conflicts with what exists',
	},
	429: { fragment: 'too-many-requests', title: 'Too Many Requests', detail: 'Rate limit exceeded' },
	500: {
		fragment: 'server-error',
		title: 'Server Error',
		detail: 'The server encountered an unexpected error',
	},
};

export interface Issue {
	name: string;
	message: string;
}

/** The v2 problem form: RFC 9457 fields inside an object `error`. `more` overrides and adds fields. */
export function problemRefusal(
	status: 400 | 401 | 403 | 404 | 409 | 429 | 500,
	issues?: Issue[],
	more: { detail?: string; attempts_remaining?: number } = {},
) {
	const { fragment, title, detail } = problems[status]!;
	const type = `https://developers.kudosity.com/reference/errors#${fragment}`;
	return new Refusal(status, {
		error: { type, title, detail, status, ...(issues && { issues }), ...more },
	});
}

export const isV2Path = (path: string) => path.startsWith('/v2/');

/** 403, 429 and 500 in the format of the path's API. */
export function dialectRefusal(path: string, status: 403 | 429 | 500): Refusal {
	if (isV2Path(path)) return problemRefusal(status);
	const code = { 403: 'NO_ACCESS', 429: 'OVER_LIMIT', 500: 'FAILED' } as const;
	return v1Refusal(status, code[status]);
}
