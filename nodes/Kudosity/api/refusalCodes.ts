import {
	type ApiErrorFields,
	type FieldIssue,
	hasGivenUp,
	type RejectedRecipients,
} from './errors';
import type { RefusalCode } from './failureCodes';

const serviceCodes = new Map<string, RefusalCode>(
	Object.entries({
		ACCOUNT_EXPIRED: 'account_expired',
		ALREADY_SENT: 'already_sent',
		AUTH_FAILED: 'credential',
		AUTH_FAILED_NO_DATA: 'credential',
		BAD_CALLER_ID: 'invalid_sender',
		BAD_MOBILE: 'invalid_number',
		BAD_MOBILE_COUNTRY: 'country_not_enabled',
		DUPLICATE_DELETED: 'contact_deleted',
		FAILED: 'refused',
		FIELD_EMPTY: 'missing_value',
		FIELD_INVALID: 'invalid_value',
		KEY_EXISTS: 'already_exists',
		LEDGER_ERROR: 'no_balance',
		LIST_EMPTY: 'empty_list',
		MISSING_PARAM: 'missing_value',
		NOT_FOUND: 'not_found',
		NOT_IMPLEMENTED: 'base_url',
		NO_ACCESS: 'not_allowed',
		OPTOUT: 'opted_out',
		OVER_LIMIT: 'rate_limited',
		RECIPIENTS_ERROR: 'no_recipients',
	}),
);

type Meaning = {
	code: RefusalCode;
	/** Matches the names of the fields that this meaning can concern. */
	field: RegExp;
	/** Matches error messages about one of the fields that `field` matches. Used if the error doesn't name a field. */
	subject: RegExp;
	words: RegExp;
};

const aRecipient = {
	field: /^(recipients?|to|contact|msisdn|phone_numbers?)\b/i,
	subject: /\b(recipient|contact|number|customer|subscriber)\b/i,
};

/**
 * The meanings of v2's error messages, because v2 has no error codes. The wording may change, so these are patterns.
 * The first match wins.
 */
const meanings: Meaning[] = [
	{
		...aRecipient,
		code: 'opted_out',
		words: /\bopt(ed)?[ -]?outs?\b|\bunsubscribed\b|\b(block|black)(ed|listed)\b|\bsuppressed\b/i,
	},
	{
		code: 'invalid_sender',
		// WhatsApp reports a missing sender as a problem with the account.
		field: /^(sender(_id)?|from|caller_?id|account_id)$/i,
		subject: /\bsender\b/i,
		words:
			/\bnot (found|valid|registered|verified|allowed|approved|active|owned|known)\b|\b(unknown|invalid|inactive|expired)\b|\bdoes not (exist|belong)\b|\bno \w+ sender found\b/i,
	},
	{
		...aRecipient,
		code: 'invalid_number',
		words: /\binvalid\b|\bnot (a )?valid\b|\bnot a (phone|mobile)\b/i,
	},
	{
		code: 'no_balance',
		field: /./,
		subject: /./,
		words: /\b(insufficient|not enough) (funds|balance|credits?)\b/i,
	},
];

function meansIt(meaning: Meaning, { field, message }: FieldIssue): boolean {
	return (
		meaning.words.test(message) &&
		(field === '' ? meaning.subject.test(message) : meaning.field.test(field))
	);
}

function codeByMeaning({ status, issues = [], detail = '' }: ApiErrorFields) {
	if (status < 400 || status >= 500 || [401, 404, 429].includes(status)) return undefined;
	const remarks = [...issues, { field: '', message: detail }];
	return meanings.find((meaning) => remarks.some((remark) => meansIt(meaning, remark)))?.code;
}

/**
 * Whether the service itself says that a record is missing. Other servers say that a page, path or URL was not found.
 */
function namesMissingRecord({ detail = '' }: ApiErrorFields): boolean {
	return (
		/\w not found\b/i.test(detail) && !/\b(page|resource|route|path|url|endpoint)\b/i.test(detail)
	);
}

function codeOf404(fields: ApiErrorFields): RefusalCode {
	return fields.namesRecord !== false || namesMissingRecord(fields) ? 'not_found' : 'base_url';
}

const statusCodes: Record<number, RefusalCode> = {
	400: 'invalid_value',
	401: 'credential',
	403: 'not_allowed',
	405: 'base_url',
	409: 'already_exists',
	422: 'invalid_value',
	429: 'rate_limited',
};

function codeByStatus(status: number): RefusalCode {
	if (hasGivenUp(status)) return 'unavailable';
	return status >= 300 && status < 400 ? 'redirect' : (statusCodes[status] ?? 'refused');
}

/** Returns the reason if RECIPIENTS_ERROR lists only one number. The reasons for several numbers may differ. */
function codeOfOnlyRecipient(fields: ApiErrorFields): RefusalCode | undefined {
	const { failedRecipients: failed = [], optedOutRecipients: optedOut = [] } = fields;
	if (failed.length + optedOut.length !== 1) return undefined;
	return failed.length === 1 ? 'invalid_number' : 'opted_out';
}

/**
 * Returns the code for an error response that is a web page. If a web server says that the page is missing, or that the
 * method is not allowed, the base URL is wrong. Other pages come from a proxy or firewall between n8n and the service.
 */
function codeOfPage({ status }: ApiErrorFields): RefusalCode {
	return status === 404 || status === 405 ? 'base_url' : 'intercepted';
}

function codeOfService(fields: ApiErrorFields): RefusalCode {
	return (
		codeOfOnlyRecipient(fields) ??
		serviceCodes.get(hasGivenUp(fields.status) ? '' : fields.code) ??
		codeByMeaning(fields) ??
		(fields.status === 404 ? codeOf404(fields) : codeByStatus(fields.status))
	);
}

/**
 * Returns the failure code for an error response. It depends on the service's own code (unless the server gave up),
 * otherwise on the error messages, otherwise on the HTTP status.
 */
export function refusalCodeOf(fields: ApiErrorFields): RefusalCode {
	return fields.isWebPage ? codeOfPage(fields) : codeOfService(fields);
}

/**
 * Returns the code for an item that has no valid recipient left. If all its numbers were rejected for the same reason,
 * that is the reason's code, otherwise a general one.
 */
export function noRecipientCodeOf(numbers: RejectedRecipients): RefusalCode {
	const { failedRecipients = [], optedOutRecipients = [] } = numbers;
	if (failedRecipients.length > 0 && optedOutRecipients.length > 0) return 'no_recipients';
	return failedRecipients.length > 0 ? 'invalid_number' : 'opted_out';
}
