const refusalCodes = [
	'opted_out',
	'invalid_number',
	'country_not_enabled',
	'no_recipients',
	'empty_list',
	'invalid_sender',
	'missing_value',
	'invalid_value',
	'not_found',
	'already_exists',
	'already_sent',
	'contact_deleted',
	'no_balance',
	'account_expired',
	'not_allowed',
	'credential',
	'base_url',
	'redirect',
	'intercepted',
	'rate_limited',
	'unavailable',
	'refused',
] as const;

/** The reasons for skipping an item, which does not count as a failure. */
const skipCodes = ['blocked', 'landline', 'already_messaged'] as const;

/**
 * The machine-readable reasons why an item was not sent. Workflows branch on them, so never rename one.
 * docs/error-codes.md explains each.
 */
export const failureCodes = [
	...refusalCodes,
	'invalid_input',
	'sending_limit',
	'limit_reached',
	'outside_hours',
	...skipCodes,
	'outcome_unknown',
	'unreachable',
	'no_answer',
	'unreadable_answer',
	'canceled',
	'unexpected',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

export type FailureCode = (typeof failureCodes)[number];

export type SkipCode = (typeof skipCodes)[number];

const accountCodes: readonly FailureCode[] = ['credential', 'no_balance', 'account_expired'];

/** Codes for a problem with the message itself, which would be rejected again. */
export const permanentCodes: readonly FailureCode[] = [
	'opted_out',
	'invalid_number',
	'no_recipients',
	'invalid_sender',
];

/** Codes for a problem with the account or the connection to Kudosity, so every other message would fail, too. */
export const runCodes: readonly FailureCode[] = [
	...accountCodes,
	'base_url',
	'redirect',
	'intercepted',
	'unreachable',
	'rate_limited',
];

/** Codes for a temporary limit. Once the limit no longer applies, the same item can be sent. */
export const waitingCodes: readonly FailureCode[] = ['outside_hours', 'limit_reached'];

/**
 * Codes after which the same item can be sent again, once the cause is fixed or has passed. `outcome_unknown` is not
 * one of them, because the message may have been sent.
 */
export const retryableCodes: readonly FailureCode[] = [
	...runCodes,
	...waitingCodes,
	'unavailable',
	'canceled',
];
