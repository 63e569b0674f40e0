import type { BulkSms } from '../../api/endpoints/bulkSms';
import { ApiError, NoRecipientError, NotStartedError, outcomeOf } from '../../api/errors';
import { isJson, type Json } from '../../lib/json';
import type { FailureCode } from '../../api/failureCodes';
import { failureCodeOf } from '../../api/failureCodeOf';
import type { BulkInput } from './fields';

export type Share = {
	own: string[];
	/** Numbers sent to for an earlier item. */
	duplicates: string[];
	/** Whether an earlier item sends the same to the same contact list; undefined for numbers. */
	isRepeated?: boolean;
};

export type ShareResult = { share: Share; result: PromiseSettledResult<Json> };

type NotSent = { number: string; code: FailureCode; reason?: string };

/** Whether the number itself is the reason, not a failed request. */
const isOfTheNumber = ({ code }: NotSent): boolean =>
	code === 'invalid_number' || code === 'opted_out';

/** Reads `not_sent` from an item's output. A skipped item only passes on its input fields, so they do not count. */
const notSentIn = (answer: Json): NotSent[] =>
	Array.isArray(answer.not_sent) && answer.skipped !== true
		? (answer.not_sent as unknown[]).filter(isJson).map((each) => each as NotSent)
		: [];

export const notSentOf = (answer: Json): Set<string> => {
	const left = notSentIn(answer).filter(({ code }) => code !== 'outcome_unknown');
	return new Set(left.map(({ number }) => number));
};

/** Whether numbers are missing because a request failed. */
export const isSentInPart = (answer: Json): boolean =>
	notSentIn(answer).some((each) => !isOfTheNumber(each));

export const countLeftOut = (answer: Json) => {
	const left = notSentIn(answer);
	const notConfirmed = left.filter(({ code }) => code === 'outcome_unknown').length;
	return { notSent: left.length - notConfirmed, notConfirmed };
};

export const isCovered = ({ duplicate, recipients }: Json): boolean =>
	duplicate === true && recipients === 0;

type Accepted = { share: Share; answer: BulkSms };
type Failed = { share: Share; reason: unknown };

const numbersOf = ({ own, duplicates }: Share): string[] => [...own, ...duplicates];

/** Only the service knows the numbers of a list, so they are attributed to the first item that sends to it. */
const leftOut = (share: Share, failed: unknown, optedOut: unknown): NotSent[] => {
	const isOurs = (number: string): boolean =>
		share.isRepeated === undefined ? numbersOf(share).includes(number) : !share.isRepeated;
	const listed = (among: unknown, code: FailureCode) => {
		const numbers = Array.isArray(among) ? among.map(String) : [];
		return numbers.filter(isOurs).map((number) => ({ number, code }));
	};
	return [...listed(failed, 'invalid_number'), ...listed(optedOut, 'opted_out')];
};

const notTaken = ({ share, answer }: Accepted): NotSent[] =>
	leftOut(share, answer.fails, answer.optouts);

const codeOf = (reason: unknown): FailureCode =>
	outcomeOf(reason) === 'unknown' ? 'outcome_unknown' : failureCodeOf(reason);

/** What is known about each number of a failed request. v1 errors can list the numbers at fault. */
const notTakenBy = ({ share, reason }: Failed): NotSent[] => {
	const numbers = numbersOf(share);
	if (!(reason instanceof ApiError)) {
		return numbers.map((number) => ({ number, code: codeOf(reason) }));
	}
	const { failedRecipients, optedOutRecipients } = reason.fields;
	const known = leftOut(share, failedRecipients, optedOutRecipients);
	const others = numbers.filter((each) => known.every(({ number }) => number !== each));
	return [...known, ...others.map((number) => ({ number, code: codeOf(reason) }))];
};

/** The error for an item with no accepted number. Names the numbers if they are the reason. */
const failureOf = (notSent: NotSent[], failed: Failed[]): unknown => {
	const numbersWith = (code: FailureCode) =>
		notSent.filter((each) => each.code === code).map(({ number }) => number);
	const failure = failed.find(({ reason }) => !(reason instanceof NotStartedError)) ?? failed[0];
	if (failure && (notSent.length === 0 || !notSent.every(isOfTheNumber))) return failure.reason;
	return new NoRecipientError({
		failedRecipients: numbersWith('invalid_number'),
		optedOutRecipients: numbersWith('opted_out'),
	});
};

const sum = (values: unknown[]): number | undefined => {
	const numbers = values.filter((value) => typeof value === 'number');
	return numbers.length > 0 ? numbers.reduce((total, value) => total + value, 0) : undefined;
};

const ofItems = ['message_id', 'sms', 'fails', 'optouts'];

/** Totals of whole requests, which include the recipients of other items. */
const requestFigures = (accepted: Accepted[]) => {
	const answers = accepted.map(({ answer }) => answer);
	const rest = Object.entries(answers[0] ?? {}).filter(([name]) => !ofItems.includes(name));
	return {
		...Object.fromEntries(rest),
		recipients: sum(answers.map(({ recipients }) => recipients)),
		parts: sum(answers.map(({ sms }) => sms)),
		cost: sum(answers.map(({ cost }) => cost)),
	};
};

const split = (outcomes: ShareResult[]) => ({
	accepted: outcomes.flatMap(({ share, result }): Accepted[] =>
		result.status === 'fulfilled' ? [{ share, answer: result.value as BulkSms }] : [],
	),
	failed: outcomes.flatMap(({ share, result }): Failed[] =>
		result.status === 'rejected' ? [{ share, reason: result.reason as unknown }] : [],
	),
});

/**
 * The output of one item. The count for a contact list is the service's, and goes to the first item that sends to it.
 *
 * @throws the item's failure, when none of its numbers was accepted
 */
export const answerOf = (input: BulkInput, outcomes: ShareResult[]): Json => {
	const { accepted, failed } = split(outcomes);
	const [first] = accepted;
	const notSent = [...accepted.flatMap(notTaken), ...failed.flatMap(notTakenBy)];
	const numbers = outcomes.flatMap(({ share }) => numbersOf(share));
	const left = new Set(notSent.map(({ number }) => number));
	const isNobody = input.recipients !== undefined && numbers.every((number) => left.has(number));
	// An unknown outcome takes precedence over refusals: the message may have been sent.
	const unknown = failed.find(({ reason }) => outcomeOf(reason) === 'unknown');
	if (!first || isNobody) throw unknown?.reason ?? failureOf(notSent, failed);

	const ids = [...new Set(accepted.map(({ answer }) => answer.message_id))];
	const refused = (input.recipients?.refused ?? []).map(({ number, reason }) => ({
		number,
		code: 'invalid_number' as const,
		reason,
	}));
	const request = requestFigures(accepted);
	const own = accepted.flatMap(({ share }) => share.own).filter((number) => !left.has(number));
	// The service may leave out numbers without naming them.
	const ofNumbers = Math.min(own.length, request.recipients ?? Infinity);
	const ofList = first.share.isRepeated ? 0 : first.answer.recipients;
	const isDuplicate = outcomes.some(({ share }) => share.isRepeated || share.duplicates.length > 0);
	return {
		message_id: first.answer.message_id,
		...(ids.length > 1 && { message_ids: ids }),
		recipients: input.recipients ? ofNumbers : ofList,
		not_sent: [...refused, ...notSent],
		...(isDuplicate && { duplicate: true }),
		request,
	};
};
