import type { SkipCode } from '../api/failureCodes';
import { type Json, omitUndefined } from '../lib/json';

/**
 * The reasons for skipping an item. `words` follow a count in a summary. If the message was sent earlier, the outcome
 * is `alreadySent`, so a table's row that says "sent" doesn't say "skipped" after a later run.
 */
export const skips = {
	blocked: {
		outcome: 'skipped',
		code: 'blocked',
		// Language models that call the tool read this, too.
		reason:
			"The number is in 'Blocked Recipients'. Don't contact this person through another channel either",
		words: 'skipped (blocked)',
	},
	optedOut: {
		outcome: 'skipped',
		code: 'blocked',
		reason:
			"The person opted out in a message that this execution received. Don't contact this person through another channel either",
		words: 'skipped (opted out)',
	},
	landline: {
		outcome: 'skipped',
		code: 'landline',
		reason:
			"The number is a landline, which can't receive text messages. Writing the number differently won't help",
		words: 'skipped (landline)',
	},
	campaign: {
		outcome: 'alreadySent',
		code: 'already_messaged',
		reason: 'The campaign was already sent to the number',
		inDryRun: 'An earlier item in this run is for the same person',
		words: 'skipped (already in the campaign)',
	},
	key: {
		outcome: 'alreadySent',
		code: 'already_messaged',
		reason: 'A message with this Deduplication Key was already sent, or may have been',
		inDryRun: 'An earlier item in this run has the same Deduplication Key',
		words: 'skipped (key already used)',
	},
} as const satisfies Record<
	string,
	{ outcome: string; code: SkipCode; reason: string; inDryRun?: string; words: string }
>;

export type Skip = keyof typeof skips;

/**
 * Returns why the pipeline skipped an item, judging by its answer. Returns undefined if the message was sent, or would
 * be sent in a real run.
 */
export function skipIn(answer: Json): (typeof skips)[Skip] | undefined {
	if (!('outcome' in answer)) return undefined;
	const given = String(answer.reason);
	return Object.values(skips).find(
		(skip) => given.startsWith(skip.reason) || ('inDryRun' in skip && given === skip.inDryRun),
	);
}

/** Creates the record of a skipped item. `messageId` is the ID of the message that was sent earlier, if known. */
export function skippedRecord(why: Skip, messageId?: string): Json {
	const { outcome, reason, code } = skips[why];
	const isUnsure = why === 'campaign' && messageId === undefined;
	const whole = isUnsure
		? `${reason}, or may have been: Kudosity did not confirm it, or n8n stopped while sending it`
		: reason;
	return omitUndefined({ outcome, reason: whole, code, canRetry: false, messageId });
}
