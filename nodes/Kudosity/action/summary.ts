import { InputError, NotTriedError, OutcomeUnknownError } from '../api/errors';
import type { FailureCode } from '../api/failureCodes';
import { isJson, type Json } from '../lib/json';
import { joinSentences } from '../lib/text';
import type { Operation } from '../fields/operation';
import type { Prepared, Results } from '../send/attempt';
import { failureCodeOf } from '../api/failureCodeOf';
import { skipIn } from '../send/skips';

/** How many of the most frequent reasons are shown. The others are added up. */
const maxReasons = 3;

/** The reasons for refused messages, as words that follow a count. An InputError can have its own words instead. */
const reasons: Partial<Record<FailureCode, string>> = {
	opted_out: 'opted out',
	invalid_number: 'not a valid number',
	country_not_enabled: 'in a country that is not enabled',
	no_recipients: 'without a valid recipient',
	empty_list: 'to an empty list',
	invalid_sender: 'with an invalid sender',
	invalid_input: 'with an invalid value',
	sending_limit: 'over a sending limit',
	limit_reached: 'over a sending limit',
	outside_hours: 'outside the sending hours',
	missing_value: 'with a missing value',
	invalid_value: 'with an invalid value',
	no_balance: 'because the balance is too low',
	account_expired: 'because the account has expired',
	not_allowed: 'not allowed for the account',
	credential: 'because of the credential',
	base_url: 'because of the base URL',
	redirect: 'because of the base URL',
	intercepted: 'stopped by a proxy or firewall',
	rate_limited: 'because of too many requests',
	unreachable: "because Kudosity can't be reached",
	canceled: 'because the run was stopped',
};

const reasonOf = (error: unknown): string =>
	(error instanceof InputError ? error.notes.kind : undefined) ??
	reasons[failureCodeOf(error)] ??
	'for another reason';

type Counts = Map<string, number>;

function countEach(texts: string[]): Counts {
	const counts: Counts = new Map();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
}

/** Lists the counts above zero, each with the words that follow it. */
const listCounts = (counts: Iterable<readonly [words: string, count: number]>): string =>
	[...counts]
		.filter(([, count]) => count > 0)
		.map(([words, count]) => `${count} ${words}`)
		.join(', ');

/** Lists the most frequent reasons and adds up the others. */
function listReasons(counts: Counts, shown = maxReasons): string {
	const sorted = [...counts].sort(([, one], [, other]) => other - one);
	const others = sorted.slice(shown).reduce((sum, [, count]) => sum + count, 0);
	return listCounts([...sorted.slice(0, shown), ['for other reasons', others]]);
}

const amount = (count: number, thing: string): string =>
	`${count} ${thing}${count === 1 ? '' : 's'}`;

/** The data for a summary, in addition to the items and their results. */
type SummaryInput = {
	operation: Operation;
	tally: { messages: number; requests: number; lists: number };
	stops: boolean;
};

/** Why a number gets no message although its item is sent: reasons that concern only this number. */
const reasonsOfNumbers: unknown[] = [
	'invalid_number',
	'opted_out',
	'blocked',
	'landline',
] satisfies FailureCode[];

/** Counts an item's numbers that got no message because their request failed, while another request was accepted. */
function countUnsent({ not_sent: notSent }: Json): number {
	const all = Array.isArray(notSent) ? notSent.filter(isJson) : [];
	return all.filter(({ code }) => !reasonsOfNumbers.includes(code)).length;
}

function figuresOf(items: Prepared[], results: Results, { operation: { batch } }: SummaryInput) {
	const figures = {
		accepted: 0,
		parts: 0,
		unsentNumbers: 0,
		notConfirmed: 0,
		notTried: 0,
		ofSeveralParts: 0,
		partsSaved: 0,
	};
	const refused: string[] = [];
	const skipped: string[] = [];

	const countAnswer = (answer: Json): void => {
		const skip = skipIn(answer);
		if (skip) return void skipped.push(skip.words);
		if (batch?.isUnconfirmed(answer)) figures.notConfirmed++;
		else {
			figures.accepted++;
			figures.parts += batch ? 0 : Number(answer.parts ?? 0);
			figures.unsentNumbers += countUnsent(answer);
		}
		if (answer.encoding === 'Unicode' && Number(answer.parts) > 1) figures.ofSeveralParts++;
		const { smartEncoding } = answer;
		if (isJson(smartEncoding)) figures.partsSaved += Number(smartEncoding.partsSaved);
	};
	const countFailure = (error: unknown): void => {
		if (error instanceof OutcomeUnknownError) figures.notConfirmed++;
		else refused.push(reasonOf(error));
		if (error instanceof NotTriedError) figures.notTried++;
	};
	for (const { item } of items) {
		const result = results[item];
		if (result?.status === 'fulfilled') countAnswer(result.value[0] ?? {});
		else if (result) countFailure(result.reason);
	}
	return { ...figures, refused, skipped };
}

/**
 * Describes how many messages and requests a dry run would make. Returns an empty string if each item is one message in
 * one request.
 */
function describeRequests(
	items: number,
	{ messages, requests, lists }: SummaryInput['tally'],
): string {
	if (requests === items && messages === items) return '';
	const what = [
		...(messages > 0 ? [amount(messages, 'message')] : []),
		...(lists > 0 ? [amount(lists, 'contact list')] : []),
	].join(' and ');
	return what && ` (${what} in ${amount(requests, 'request')})`;
}

/** Lists a run's figures. Messages that may have been sent come first, because they must not be sent again. */
function describeFigures(
	figures: ReturnType<typeof figuresOf>,
	dry?: SummaryInput['tally'],
): string {
	const { accepted, notConfirmed, notTried, refused, skipped } = figures;
	const why = listReasons(countEach(refused));
	const parts = figures.parts > accepted ? ` (${figures.parts} SMS parts)` : '';
	return listCounts([
		["not confirmed (may have been sent, so don't resend)", notConfirmed],
		[`${dry ? `ready to send${describeRequests(accepted, dry)}` : 'accepted'}${parts}`, accepted],
		[
			'of their numbers got no message because a request failed (listed in the output)',
			figures.unsentNumbers,
		],
		...countEach(skipped),
		[`refused (${why}${notTried > 0 ? `; ${notTried} not tried` : ''})`, refused.length],
		[
			`${dry ? 'would take' : 'took'} several SMS parts because of emoji or special characters`,
			figures.ofSeveralParts,
		],
		[`SMS part${figures.partsSaved === 1 ? '' : 's'} saved by Smart Encoding`, figures.partsSaved],
	]);
}

const isLive = ({ isDry }: Prepared): boolean => !isDry;

/** Describes a run in a sentence. Returns undefined for a single item that was simply accepted. */
export function describeRun(items: Prepared[], results: Results, input: SummaryInput) {
	const dry = items.filter(({ isDry }) => isDry);
	const sent = figuresOf(items.filter(isLive), results, input);
	const simulated = figuresOf(dry, results, input);
	const isSimple = sent.partsSaved === 0 && sent.unsentNumbers === 0;
	if (items.length === 1 && sent.accepted === 1 && isSimple) return undefined;
	const isMixed = dry.length < items.length;
	const which = isMixed
		? `Dry run of ${dry.length} of ${items.length} items`
		: 'Dry run (nothing sent)';
	// Items with a Deduplication Key are not counted in advance. In a real run, some of them would be sent before a
	// limit is reached, so a refusal because of a limit doesn't mean that nothing is sent.
	const sendsNothing = simulated.refused.some((reason) => reason !== reasons.sending_limit);
	const canSendOthers = !input.operation.asks && dry.length > simulated.refused.length;
	const text = joinSentences(
		isMixed ? describeFigures(sent) : '',
		dry.length > 0 ? `${which}: ${describeFigures(simulated, input.tally)}` : '',
		input.stops && simulated.refused.length > 0
			? `A real run would stop at the refused items${sendsNothing ? ' and send nothing' : ''}${canSendOthers ? ". To send the others, set 'Output' to 'Result for Each Item'" : ''}`
			: '',
	);
	return text || undefined;
}

/** Describes what had been sent when the user stopped the run. Written to n8n's log. */
export function describeStop(items: Prepared[], results: Results, input: SummaryInput): string {
	const sent = figuresOf(items.filter(isLive), results, input);
	return `A Kudosity node was stopped: ${sent.accepted} of ${amount(items.length, 'item')} accepted, ${sent.notConfirmed} not confirmed (may have been sent)`;
}

/**
 * Describes how to fix the first invalid item, the last characters of its value, what is wrong with the other items,
 * and how to send the valid ones.
 */
export function describeProblems(
	remedy: string | null | undefined,
	{ error }: { error: unknown },
	items: Prepared[],
): string {
	const problems = items.flatMap((each) => ('error' in each && !each.isDry ? [each.error] : []));
	const value = error instanceof InputError ? error.notes.value : undefined;
	return joinSentences(
		remedy,
		value && `The value ends in ${value}`,
		items.length > 1
			? `${problems.length} of ${items.length} items can't be sent, so none were sent (${listReasons(countEach(problems.map(reasonOf)), 5)})`
			: '',
		items.length > problems.length
			? "To send the other items, set 'Output' to 'Result for Each Item'. The output then has each item's fields and says why an item can't be sent"
			: '',
	);
}
