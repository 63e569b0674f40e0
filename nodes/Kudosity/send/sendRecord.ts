import { outcomeOf } from '../api/errors';
import type { FailureCode } from '../api/failureCodes';
import { contactAt, orAbsent, plainNumber } from '../events/simplify';
import type { Recipients } from '../fields/operation';
import { isJson, type Json, omitUndefined } from '../lib/json';
import { joinSentences } from '../lib/text';
import type { Prepared } from './attempt';

/**
 * The record of one item of a send, whether or not its message was sent. If the user sets Output to Simplified, its
 * fields are at the top level of the output item; with Result for Each Item, they are under the key that is set in
 * Output Field. `outcome` is this node's own term; Kudosity's term for the state of a message is `status`.
 */
export type SendRecord = {
	outcome: 'sent' | 'alreadySent' | 'skipped' | 'notSent' | 'notConfirmed' | 'dryRun';
	/**
	 * Whether the same item can be sent later. Always true after a dry run, never true if the item may have been sent.
	 */
	canRetry: boolean;
} & Json;

/**
 * The fields that every record has in Result for Each Item. If a record is written to a table, the null values clear
 * old values in the table's columns.
 */
const always = {
	outcome: null,
	reason: null,
	code: null,
	canRetry: false,
	messageId: null,
	contact: null,
	sender: null,
	parts: null,
	messageRef: null,
};

export function withEveryKey(record: SendRecord): Json {
	return { ...always, ...record };
}

/** Returns a message's ID. Kudosity's two APIs use different names for it, and in v1 it is a number. */
export function messageIdOf({ id, message_id: messageId }: Json): string | undefined {
	const either = orAbsent(id ?? messageId);
	return either === undefined ? undefined : String(either);
}

/** Returns the recipient as a contact, if the item has exactly one. */
function contactOf(to: Recipients | undefined): string | undefined {
	const numbers = to && 'numbers' in to ? to.numbers : [];
	return numbers.length === 1 ? contactAt(numbers[0]!) : undefined;
}

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' ? orAbsent(value) : undefined;

/** Builds the record of an item that was sent, skipped, or checked in a dry run. */
export function recordOf(answer: Json, each: Prepared): SendRecord {
	const attempt = 'error' in each ? undefined : each;
	const contact = contactOf(attempt?.to);
	if ('outcome' in answer) {
		const canRetry = each.isDry || answer.canRetry;
		return omitUndefined({ ...answer, canRetry, contact }) as SendRecord;
	}
	const { dryRun, duplicate, parts, encoding, smartEncoding, recipients } = answer;
	const sender = textOf(answer.sender) ?? textOf(attempt?.input.sender);
	return omitUndefined({
		outcome: dryRun ? 'dryRun' : duplicate ? 'alreadySent' : 'sent',
		...(duplicate === true && {
			reason: 'Another item in this run sent the message to the contact list',
			code: 'already_messaged' satisfies FailureCode,
		}),
		canRetry: dryRun === true,
		messageId: messageIdOf(answer),
		messageIds: answer.message_ids,
		contact,
		sender: sender && plainNumber(sender),
		parts,
		messageRef: textOf(answer.message_ref),
		encoding,
		smartEncoding: isJson(smartEncoding) ? smartEncoding : undefined,
		recipients,
		notSentTo: answer.not_sent,
	}) as SendRecord;
}

/**
 * Whether a failed item may have been sent. If its fields could not be read, it was not sent, whatever error n8n threw.
 */
export function isUnconfirmed(reason: unknown, each: Prepared): boolean {
	return !('error' in each) && outcomeOf(reason) === 'unknown';
}

type NodeError = { message: string; description?: string | null; context: Json };

/** Builds the record of an item that failed. `error` is the error that the node would throw for it. */
export function failureRecordOf(error: NodeError, reason: unknown, each: Prepared): SendRecord {
	const isUnknown = isUnconfirmed(reason, each);
	const code = error.context.code as FailureCode;
	return omitUndefined({
		outcome: isUnknown ? 'notConfirmed' : 'notSent',
		reason: joinSentences(error.message, error.description),
		code,
		canRetry: each.isDry || (!isUnknown && error.context.canRetry === true),
		contact: contactOf('error' in each ? undefined : each.to),
		nextAllowedAt: error.context.nextAllowedAt,
	}) as SendRecord;
}
