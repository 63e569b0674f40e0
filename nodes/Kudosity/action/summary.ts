import { InputError, NotTriedError, OutcomeUnknownError } from '../api/errors';
import type { FailureCode } from '../api/failureCodes';
import { isJson, type Json } from '../lib/json';
import type { SmartEncoding } from '../lib/smartEncoding';
import { joinSentences } from '../lib/text';
import type { Operation } from '../fields/operation';
import type { Prepared, Results } from '../send/attempt';
import { keyUsedText } from '../send/deduplicationKeys';
import { numberUsedText } from '../send/duplicateNumbers';
import { failureCodeOf } from '../api/failureCodeOf';

/** Of a hint: people read one line, not two. */
const maxLength = 200;

/** Why messages were refused, in words that follow a count. A wrong value has words of its own. */
const reasons: Partial<Record<FailureCode, string>> = {
	opted_out: 'opted out',
	invalid_number: 'not a valid number',
	country_not_enabled: 'in a country that is not enabled',
	no_recipients: 'without a valid recipient',
	empty_list: 'to an empty list',
	invalid_sender: 'with an invalid sender',
	invalid_input: 'with an invalid value',
	sending_limit: 'over a sending limit',
	missing_value: 'with a missing value',
	invalid_value: 'with an invalid value',
	no_balance: 'for lack of balance',
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

const skips = new Map<unknown, string>([
	[keyUsedText, 'skipped (key already used)'],
	[numberUsedText, 'skipped (duplicate number)'],
]);

const reasonOf = (error: unknown): string =>
	(error instanceof InputError ? error.notes.kind : undefined) ??
	reasons[failureCodeOf(error)] ??
	'for another reason';

type Counts = Map<string, number>;

const countEach = (texts: string[]): Counts => {
	const counts: Counts = new Map();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
};

/** The counts that are not zero, each with the words that follow it. */
const listCounts = (counts: Iterable<readonly [words: string, count: number]>): string =>
	[...counts]
		.filter(([, count]) => count > 0)
		.map(([words, count]) => `${count} ${words}`)
		.join(', ');

/** The most frequent `shown` reasons; the others are added up. */
const listReasons = (counts: Counts, shown: number): string => {
	const sorted = [...counts].sort(([, one], [, other]) => other - one);
	const others = sorted.slice(shown).reduce((sum, [, count]) => sum + count, 0);
	return listCounts([...sorted.slice(0, shown), ['for other reasons', others]]);
};

const amount = (count: number, thing: string): string =>
	`${count} ${thing}${count === 1 ? '' : 's'}`;

type Told = {
	operation: Operation;
	tally: { messages: number; requests: number; lists: number };
	stops: boolean;
};

const figuresOf = (items: Prepared[], results: Results, { operation: { batch } }: Told) => {
	const figures = { accepted: 0, inPart: 0, covered: 0, notConfirmed: 0, notTried: 0 };
	const refused: string[] = [];
	const skipped: string[] = [];
	/** Of the items that were accepted in part. */
	const numbers = { notSent: 0, notConfirmed: 0 };
	/** Of texts in Unicode, by item. */
	const parts: number[] = [];
	const encoded: SmartEncoding[] = [];

	const countAnswer = (answer: Json): void => {
		if (answer.skipped === true) {
			skipped.push(skips.get(answer.reason) ?? 'skipped');
			return;
		}
		const { notSent = 0, notConfirmed = 0 } = batch?.countLeftOut(answer) ?? {};
		numbers.notSent += notSent;
		numbers.notConfirmed += notConfirmed;
		if (notSent + notConfirmed > 0) figures.inPart++;
		else if (batch?.isCovered(answer)) figures.covered++;
		else figures.accepted++;
		if (isJson(answer.smartEncoding)) encoded.push(answer.smartEncoding as SmartEncoding);
		if (answer.encoding === 'Unicode' && Number(answer.parts) > 1) parts.push(Number(answer.parts));
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
	return { ...figures, refused, reasons: countEach(refused), skipped, numbers, parts, encoded };
};

/** What the requests of a dry run come to, where the items do not say it. */
const describeRequests = (items: number, { messages, requests, lists }: Told['tally']): string => {
	if (requests === items && messages === items) return '';
	const what = [
		...(messages > 0 ? [amount(messages, 'message')] : []),
		...(lists > 0 ? [amount(lists, 'contact list')] : []),
	].join(' and ');
	return what && ` (${what} in ${amount(requests, 'request')})`;
};

/** Of at least one text. */
const rangeOf = (parts: number[]): string => {
	const [least, greatest] = parts.reduce(
		([low, high], each) => [Math.min(low, each), Math.max(high, each)],
		[Infinity, 0],
	);
	return least === greatest ? amount(least, 'SMS part') : `${least} to ${greatest} SMS parts`;
};

const describeEncoded = (encoded: SmartEncoding[]): string => {
	const characters = encoded.flatMap(({ replaced }) => replaced.map(({ from }) => from));
	const shown = new Set(characters.map((each) => (/[\s\p{Cf}]/u.test(each) ? 'spaces' : each)));
	return `shortened by Smart Encoding (replaced ${[...shown].join(' ')}, saved ${rangeOf(encoded.map(({ partsSaved }) => partsSaved))}${encoded.length > 1 ? ' each' : ''})`;
};

const describeFigures = (
	figures: ReturnType<typeof figuresOf>,
	shownReasons: number,
	dry?: Told['tally'],
): string => {
	const { accepted, inPart, notConfirmed, notTried, covered, refused, numbers } = figures;
	const { parts, encoded } = figures;
	const verb = dry ? 'ready to send' : 'accepted';
	const leftOut = [
		...(numbers.notSent > 0 ? [`${amount(numbers.notSent, 'number')} skipped`] : []),
		...(numbers.notConfirmed > 0
			? [`${amount(numbers.notConfirmed, 'number')} not confirmed`]
			: []),
	].join(', ');
	const why = listReasons(figures.reasons, shownReasons);
	return listCounts([
		[`${verb}${dry ? describeRequests(accepted, dry) : ''}`, accepted],
		[`${verb} in part (${leftOut})`, inPart],
		['not confirmed (may have been sent, so do not repeat)', notConfirmed],
		[`refused (${why}${notTried > 0 ? `; ${notTried} not tried` : ''})`, refused.length],
		['covered by earlier items', covered],
		...countEach(figures.skipped),
		[`took ${rangeOf(parts)} because of emoji or special characters`, parts.length],
		[describeEncoded(encoded), encoded.length],
	]);
};

const describeShortly = (describe: (shown: number) => string, reasonCount: number): string => {
	const text = describe(reasonCount);
	if (text.length <= maxLength || reasonCount <= 1) return text;
	return describeShortly(describe, reasonCount - 1);
};

const areReal = ({ isDry }: Prepared): boolean => !isDry;

/** How a run went, in a sentence; undefined where it is what one expects of one item. */
export const describeRun = (items: Prepared[], results: Results, told: Told) => {
	const dry = items.filter(({ isDry }) => isDry);
	const sent = figuresOf(items.filter(areReal), results, told);
	const rehearsed = figuresOf(dry, results, told);
	if (items.length === 1 && sent.accepted === 1 && sent.encoded.length === 0) return undefined;
	const isMixed = dry.length < items.length;
	const which = isMixed
		? `Dry run of ${dry.length} of ${items.length} items`
		: 'Dry run (nothing sent)';
	// With a Deduplication Key, items go out until a limit is reached.
	const sendsNothing = rehearsed.refused.some((reason) => reason !== reasons.sending_limit);
	const describe = (shown: number) =>
		joinSentences(
			isMixed ? describeFigures(sent, shown) : '',
			dry.length > 0 ? `${which}: ${describeFigures(rehearsed, shown, told.tally)}` : '',
			told.stops && rehearsed.refused.length > 0
				? `A real run would stop at the refused items${sendsNothing ? ' and send nothing' : ''}`
				: '',
		);
	const reasonCount = Math.max(sent.reasons.size, rehearsed.reasons.size);
	return describeShortly(describe, reasonCount) || undefined;
};

/** What had been sent when the user stopped the run, for n8n's log. */
export const describeStop = (items: Prepared[], results: Results, told: Told): string => {
	const sent = figuresOf(items.filter(areReal), results, told);
	const accepted = sent.accepted + sent.inPart + sent.covered;
	return `A Kudosity node was stopped: ${accepted} of ${amount(items.length, 'item')} accepted, ${sent.notConfirmed} not confirmed (may have been sent)`;
};

/** The remedy for the first wrong item, its value, what else is wrong, and how to send the others. */
export const describeProblems = (
	remedy: string | null | undefined,
	{ error }: { error: unknown },
	items: Prepared[],
): string => {
	const problems = items.flatMap((each) => ('error' in each && !each.isDry ? [each.error] : []));
	const value = error instanceof InputError ? error.notes.value : undefined;
	return joinSentences(
		remedy,
		value && `The value ends in ${value}`,
		items.length > 1
			? `${problems.length} of ${items.length} items can't be sent, so none was sent (${listReasons(countEach(problems.map(reasonOf)), 5)})`
			: '',
		items.length > problems.length
			? "To send the others, set 'On Error' in the node's settings to 'Continue (using error output)', which keeps the fields of each row"
			: '',
	);
};
