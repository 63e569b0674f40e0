import type { BulkSms } from '../../api/endpoints/bulkSms';
import { ApiError, NoRecipientError, NotStartedError, outcomeOf } from '../../api/errors';
import { isJson, type Json } from '../../lib/json';
import type { FailureCode } from '../../api/failureCodes';
import { failureCodeOf } from '../../runtime/nodeErrors';
import type { BulkInput } from './fields';

/** What one item has to do with one request. */
export type Share = {
	/** Numbers that go out for this item. */
	own: string[];
	/** Numbers that go out for an earlier item. */
	duplicates: string[];
	/** An earlier item sends the same to the same contact list. */
	isRepeated?: boolean;
};

/** What became of a request, for one of its items. */
export type ShareResult = { share: Share; result: PromiseSettledResult<Json> };

/** A number that an accepted request left out, and why. */
export type NotSent = { number: string; code: FailureCode; reason?: string };

/** Whether a number was left out for what it is, and not because its request failed. */
export const isOfTheNumber = ({ code }: NotSent): boolean =>
	code === 'invalid_number' || code === 'opted_out';

/** Of the answer of an item; a skipped one has the fields that came in. */
const notSentIn = (answer: Json): NotSent[] =>
	Array.isArray(answer.not_sent) && answer.skipped !== true
		? (answer.not_sent as unknown[]).filter(isJson).map((each) => each as NotSent)
		: [];

/** The numbers of an item that certainly got nothing. */
export const notSentOf = (answer: Json): Set<string> => {
	const left = notSentIn(answer).filter(({ code }) => code !== 'outcome_unknown');
	return new Set(left.map(({ number }) => number));
};

/** Whether numbers were left out for another reason than the numbers themselves. */
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

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const listed = (isOurs: (number: string) => boolean, among: unknown, code: FailureCode) =>
	texts(among)
		.filter(isOurs)
		.map((number): NotSent => ({ number, code }));

/** Nobody but the service knows the numbers of a list: they are those of the item that it went out for. */
const isOf =
	(share: Share) =>
	(number: string): boolean =>
		share.isRepeated === undefined ? numbersOf(share).includes(number) : !share.isRepeated;

/** What the service did not take of an accepted request. */
const notTaken = ({ share, answer }: Accepted): NotSent[] => [
	...listed(isOf(share), answer.fails, 'invalid_number'),
	...listed(isOf(share), answer.optouts, 'opted_out'),
];

const codeOf = (reason: unknown): FailureCode =>
	outcomeOf(reason) === 'unknown' ? 'outcome_unknown' : failureCodeOf(reason);

/** What is known of the numbers of a request that failed: v1 can say it for each. */
const notTakenBy = ({ share, reason }: Failed): NotSent[] => {
	const numbers = numbersOf(share);
	if (!(reason instanceof ApiError)) {
		return numbers.map((number) => ({ number, code: codeOf(reason) }));
	}
	const { failedRecipients, optedOutRecipients } = reason.fields;
	const known = [
		...listed(isOf(share), failedRecipients, 'invalid_number'),
		...listed(isOf(share), optedOutRecipients, 'opted_out'),
	];
	const others = numbers.filter((each) => known.every(({ number }) => number !== each));
	return [...known, ...others.map((number) => ({ number, code: codeOf(reason) }))];
};

/** The failure of an item none of whose numbers was taken: in words of its numbers, where they are the reason. */
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

/** What items say of themselves. */
const ofItems = ['message_id', 'sms', 'fails', 'optouts'];

/** The figures of the whole requests, with which those of other items are counted as well. */
const requestFigures = (answers: BulkSms[]): Json => {
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

const countOwn = (accepted: Accepted[], notSent: NotSent[]): number => {
	const refused = new Set(notSent.map(({ number }) => number));
	return accepted.flatMap(({ share }) => share.own).filter((number) => !refused.has(number)).length;
};

const countOfList = ({ share, answer }: Accepted) => (share.isRepeated ? 0 : answer.recipients);

/**
 * What one item comes to: the message under which its numbers went out, how many of them did, and which did
 * not. To a contact list, the count is the service's, for the first item that sends to it.
 *
 * @throws what an item failed with none of whose numbers was taken
 */
export const answerOf = (input: BulkInput, outcomes: ShareResult[]): Json => {
	const { accepted, failed } = split(outcomes);
	const [first] = accepted;
	const notSent = [...accepted.flatMap(notTaken), ...failed.flatMap(notTakenBy)];
	const numbers = outcomes.flatMap(({ share }) => numbersOf(share));
	const left = new Set(notSent.map(({ number }) => number));
	const isNobody = input.recipients !== undefined && numbers.every((number) => left.has(number));
	// One whose outcome is unknown beside others that are refused may have been sent.
	const unknown = failed.find(({ reason }) => outcomeOf(reason) === 'unknown');
	if (!first || isNobody) throw unknown?.reason ?? failureOf(notSent, failed);

	const ids = [...new Set(accepted.map(({ answer }) => answer.message_id))];
	const refused = (input.recipients?.refused ?? []).map(({ number, reason }) => ({
		number,
		code: 'invalid_number' as const,
		reason,
	}));
	const isDuplicate = outcomes.some(({ share }) => share.isRepeated || share.duplicates.length > 0);
	return {
		message_id: first.answer.message_id,
		...(ids.length > 1 && { message_ids: ids }),
		recipients: input.recipients ? countOwn(accepted, notSent) : countOfList(first),
		not_sent: [...refused, ...notSent],
		...(isDuplicate && { duplicate: true }),
		request: requestFigures(accepted.map(({ answer }) => answer)),
	};
};
