import type { BulkSms } from '../../api/endpoints/bulkSms';
import { ApiError, NoRecipientError, NotStartedError, outcomeOf } from '../../api/errors';
import { failureCodeOf } from '../../api/failureCodeOf';
import type { FailureCode } from '../../api/failureCodes';
import { isJson, type Json } from '../../lib/json';
import { personOf } from '../../lib/personOf';
import type { BulkInput } from './fields';

/**
 * The outcome for one number: the response to the request that included it, or the reason why that request failed.
 * `code` is absent if the number was accepted.
 */
type NumberOutcome = { code?: FailureCode; answer?: BulkSms; reason?: unknown };

const codeOf = (reason: unknown): FailureCode =>
	outcomeOf(reason) === 'unknown' ? 'outcome_unknown' : failureCodeOf(reason);

const numbersIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Returns each number's outcome. v1 lists rejected numbers in successful responses as well as in errors. */
export function readNumbers(
	numbers: string[],
	result: PromiseSettledResult<BulkSms>,
): Array<[person: string, outcome: NumberOutcome]> {
	const isAnswered = result.status === 'fulfilled';
	const reason: unknown = isAnswered ? undefined : result.reason;
	const fields = reason instanceof ApiError ? reason.fields : undefined;
	const invalid = new Set(numbersIn(isAnswered ? result.value.fails : fields?.failedRecipients));
	const optedOut = new Set(
		numbersIn(isAnswered ? result.value.optouts : fields?.optedOutRecipients),
	);
	const answer = isAnswered ? result.value : undefined;
	return numbers.map((number) => {
		const person = personOf(number);
		if (invalid.has(number)) return [person, { code: 'invalid_number', answer }];
		if (optedOut.has(number)) return [person, { code: 'opted_out', answer }];
		return [person, isAnswered ? { answer } : { code: codeOf(reason), reason }];
	});
}

type NotSent = { number: string; code: FailureCode; reason?: string };

const notSentIn = (output: Json): NotSent[] =>
	Array.isArray(output.not_sent)
		? (output.not_sent as unknown[]).filter(isJson).map((each) => each as NotSent)
		: [];

export function notSentOf(output: Json): Set<string> {
	const left = notSentIn(output).filter(({ code }) => code !== 'outcome_unknown');
	return new Set(left.map(({ number }) => number));
}

export function isUnconfirmed(output: Json): boolean {
	return notSentIn(output).some(({ code }) => code === 'outcome_unknown');
}

/**
 * Returns the error for an item if none of its numbers was accepted. If all of them are invalid or have opted out, the
 * error lists them.
 */
function failureOf(outcomes: Array<[number: string, outcome: NumberOutcome]>): unknown {
	const reasons = outcomes.flatMap(([, { reason }]) => reason ?? []);
	// An unconfirmed request takes precedence over a rejected one, because its message may have been sent.
	const unknown = reasons.find((reason) => outcomeOf(reason) === 'unknown');
	if (unknown !== undefined) return unknown;
	const numbersWith = (wanted: FailureCode) =>
		outcomes.filter(([, { code }]) => code === wanted).map(([number]) => number);
	const failedRecipients = numbersWith('invalid_number');
	const optedOutRecipients = numbersWith('opted_out');
	const isOfNumbers = failedRecipients.length + optedOutRecipients.length === outcomes.length;
	const failure = reasons.find((reason) => !(reason instanceof NotStartedError)) ?? reasons[0];
	return isOfNumbers || failure === undefined
		? new NoRecipientError({ failedRecipients, optedOutRecipients })
		: failure;
}

function sum(values: unknown[]): number | undefined {
	const numbers = values.filter((value) => typeof value === 'number');
	return numbers.length > 0 ? numbers.reduce((total, value) => total + value, 0) : undefined;
}

const ofItems = ['message_id', 'sms', 'fails', 'optouts'];

/** Adds up the figures of whole requests, which include the recipients of other items. */
function requestFigures(answers: BulkSms[]) {
	const rest = Object.entries(answers[0] ?? {}).filter(([name]) => !ofItems.includes(name));
	return {
		...Object.fromEntries(rest),
		recipients: sum(answers.map(({ recipients }) => recipients)),
		parts: sum(answers.map(({ sms }) => sms)),
		cost: sum(answers.map(({ cost }) => cost)),
	};
}

/**
 * Shapes the output of an item that sends to numbers.
 *
 * @throws the item's failure - none of its numbers was accepted
 */
export function outputOf({ recipients }: BulkInput, all: Map<string, NumberOutcome>): Json {
	const outcomes = (recipients?.numbers ?? []).map((number): [string, NumberOutcome] => [
		number,
		all.get(personOf(number)) ?? {},
	]);
	const accepted = outcomes.filter(([, { code }]) => code === undefined);
	const answers = [...new Set(accepted.flatMap(([, { answer }]) => answer ?? []))];
	const [first] = answers;
	if (!first) throw failureOf(outcomes);
	const ids = [...new Set(answers.map((answer) => answer.message_id))];
	const refused = (recipients?.refused ?? []).map(({ number, reason }) => {
		return { number, code: 'invalid_number' as const, reason };
	});
	const notSent = outcomes.flatMap(([number, { code }]) => (code ? [{ number, code }] : []));
	const request = requestFigures(answers);
	return {
		message_id: first.message_id,
		...(ids.length > 1 && { message_ids: ids }),
		// The service may drop numbers without listing them, so the item's count must not exceed the service's.
		recipients: Math.min(accepted.length, request.recipients ?? Infinity),
		not_sent: [...refused, ...(recipients?.leftOut ?? []), ...notSent],
		request,
	};
}

/** Shapes the output of an item that sends to a contact list, whose numbers only the service knows. */
export function listOutputOf(answer: BulkSms): Json {
	const { message_id, recipients, fails, optouts } = answer;
	const notSent = (numbers: unknown, code: FailureCode) =>
		numbersIn(numbers).map((number) => ({ number, code }));
	return {
		message_id,
		recipients,
		not_sent: [...notSent(fails, 'invalid_number'), ...notSent(optouts, 'opted_out')],
		request: requestFigures([answer]),
	};
}
