import { InputError, NotTriedError, OutcomeUnknownError } from '../api/errors';
import type { FailureCode } from '../api/failureCodes';
import { isJson, type Json } from '../lib/json';
import type { SmartEncoding } from '../lib/smartEncoding';
import { joinSentences } from '../lib/text';
import type { Operation } from '../operation';
import type { Prepared } from '../send/attempt';
import { numberIsUsed } from '../send/duplicateNumbers';
import { keyIsUsed } from '../send/idempotencyKeys';
import type { Results } from './itemRunner';
import { failureCodeOf } from './nodeErrors';

/** Of a hint: people read one line, not two. */
const maxLength = 200;

/** What items were refused for, in words that follow a count. A value that is wrong has its own. */
const kinds: Record<FailureCode, string> = {
	opted_out: 'opted out',
	invalid_number: 'not a valid number',
	country_not_enabled: 'in a country that is not enabled',
	no_recipients: 'without a valid recipient',
	empty_list: 'to an empty list',
	invalid_sender: 'with a wrong sender',
	invalid_input: 'with a wrong value',
	sending_limit: 'held back by a limit',
	missing_value: 'with a missing value',
	invalid_value: 'with a wrong value',
	not_found: 'not found',
	already_exists: 'that existed already',
	already_sent: 'sent before',
	contact_deleted: 'with a deleted contact',
	no_balance: 'for lack of balance',
	account_expired: 'because the account has expired',
	not_allowed: 'not allowed for the account',
	credential: 'because of the credential',
	base_url: 'because of the base URL',
	redirect: 'because of the base URL',
	rate_limited: 'because of too many requests',
	outcome_unknown: 'not confirmed',
	unreachable: 'because Kudosity could not be reached',
	no_answer: 'without an answer',
	unreadable_answer: 'with an unreadable answer',
	unavailable: 'because Kudosity was unavailable',
	refused: 'for another reason',
	canceled: 'because the run was stopped',
	unexpected: 'for another reason',
};

/** Why items are skipped: of one, of several. */
const skips = new Map<unknown, [one: string, several: string]>([
	[keyIsUsed, ['for its key', 'for their key']],
	[numberIsUsed, ['as a duplicate', 'as duplicates']],
]);

const kindOf = (error: unknown): string =>
	(error instanceof InputError ? error.notes.kind : undefined) ?? kinds[failureCodeOf(error)];

type Counts = Map<string, number>;

const add = (counts: Counts, name: string): void =>
	void counts.set(name, (counts.get(name) ?? 0) + 1);

const countOf = (counts: Counts): number =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

/** The most frequent `shown` kinds; the others are added up. */
const listKinds = (counts: Counts, shown: number): string => {
	const sorted = [...counts].sort(([, one], [, other]) => other - one);
	const rest = countOf(new Map(sorted.slice(shown)));
	return [
		...sorted.slice(0, shown).map(([kind, count]) => `${count} ${kind}`),
		...(rest > 0 ? [`${rest} for other reasons`] : []),
	].join(', ');
};

const amount = (count: number, thing: string): string =>
	`${count} ${thing}${count === 1 ? '' : 's'}`;

/** What became of items. Each is in one of the first six. */
const createFigures = () => ({
	accepted: 0,
	inPart: 0,
	covered: 0,
	notConfirmed: 0,
	refused: new Map() as Counts,
	skipped: new Map<unknown, number>(),
	notTried: 0,
	/** Of the items that were accepted in part. */
	numbers: { notSent: 0, notConfirmed: 0 },
	/** Numbers of parts of texts in Unicode, by item. */
	parts: [] as number[],
	/** What Smart Encoding changed, by item. */
	smartEncodings: [] as SmartEncoding[],
});

type Figures = ReturnType<typeof createFigures>;
type Told = {
	operation: Operation;
	/** What the dry run would have sent. */
	tally: { messages: number; requests: number; lists: number };
	/** Whether the node stops at a refused item. */
	stops: boolean;
};

const countAnswer = (figures: Figures, answer: Json, { batch }: Operation): void => {
	if (answer.skipped === true) {
		figures.skipped.set(answer.reason, (figures.skipped.get(answer.reason) ?? 0) + 1);
		return;
	}
	const { notSent = 0, notConfirmed = 0 } = batch?.countLeftOut(answer) ?? {};
	if (notSent + notConfirmed > 0) figures.inPart++;
	else if (batch?.isCovered(answer)) figures.covered++;
	else figures.accepted++;
	figures.numbers.notSent += notSent;
	figures.numbers.notConfirmed += notConfirmed;
	const { parts, encoding, smartEncoding } = answer;
	if (isJson(smartEncoding)) figures.smartEncodings.push(smartEncoding as SmartEncoding);
	if (encoding === 'Unicode' && typeof parts === 'number' && parts > 1) figures.parts.push(parts);
};

const countFailure = (figures: Figures, error: unknown): void => {
	if (error instanceof OutcomeUnknownError) {
		figures.notConfirmed++;
		return;
	}
	add(figures.refused, kindOf(error));
	if (error instanceof NotTriedError) figures.notTried++;
};

const figuresOf = (items: Prepared[], results: Results, { operation }: Told): Figures => {
	const figures = createFigures();
	for (const { item } of items) {
		const result = results[item];
		if (result?.status === 'fulfilled') countAnswer(figures, result.value[0] ?? {}, operation);
		else if (result) countFailure(figures, result.reason);
	}
	return figures;
};

const describeSkips = ({ skipped }: Figures, would: string): string[] =>
	[...skipped].map(([reason, count]) => {
		const [one, several] = skips.get(reason) ?? ['', ''];
		return `${count} ${would}skipped ${count === 1 ? one : several}`.trim();
	});

const rangeOf = (parts: number[]): string => {
	const [least, greatest] = parts.reduce(
		([low, high], each) => [Math.min(low, each), Math.max(high, each)],
		[Infinity, 0],
	);
	return least === greatest ? amount(least, 'part') : `${least} to ${greatest} parts`;
};

const describeParts = ({ parts }: Figures): string[] =>
	parts.length === 0
		? []
		: [`${parts.length} took ${rangeOf(parts)} because of emoji or special characters`];

const describeSmartEncodings = ({ smartEncodings: all }: Figures): string[] => {
	if (all.length === 0) return [];
	const characters = all.flatMap(({ replaced }) => replaced.map(({ from }) => from));
	const shown = new Set(characters.map((each) => (/[\s\p{Cf}]/u.test(each) ? 'spaces' : each)));
	const saved = rangeOf(all.map(({ partsSaved }) => partsSaved));
	return [
		`Smart Encoding replaced ${[...shown].join(' ')} in ${all.length}, saving ${saved}${all.length > 1 ? ' each' : ''}`,
	];
};

const describeNumbers = ({ numbers: { notSent, notConfirmed } }: Figures): string =>
	[
		...(notSent > 0 ? [`${amount(notSent, 'number')} left out`] : []),
		...(notConfirmed > 0 ? [`${amount(notConfirmed, 'number')} not confirmed`] : []),
	].join(', ');

/** What the requests of a dry run come to, where the items do not say it. */
const describeRequests = ({ accepted }: Figures, { messages, requests, lists }: Told['tally']) => {
	if (requests === accepted && messages === accepted) return '';
	const what = [
		...(messages > 0 ? [amount(messages, 'message')] : []),
		...(lists > 0 ? [amount(lists, 'contact list')] : []),
	].join(' and ');
	return what && ` (${what} in ${amount(requests, 'request')})`;
};

const describeFigures = (figures: Figures, shownKinds: number, dry?: Told['tally']): string => {
	const would = dry ? 'would be ' : '';
	const refused = countOf(figures.refused);
	const notTried = figures.notTried > 0 ? ` (${figures.notTried} not tried)` : '';
	const main = [
		...(figures.accepted > 0
			? [`${figures.accepted} ${would}accepted${dry ? describeRequests(figures, dry) : ''}`]
			: []),
		...(figures.inPart > 0
			? [`${figures.inPart} ${would}accepted in part (${describeNumbers(figures)})`]
			: []),
		...(figures.notConfirmed > 0
			? [`${figures.notConfirmed} not confirmed (may have been sent: do not repeat)`]
			: []),
		...(refused > 0
			? [`${refused} ${would}refused: ${listKinds(figures.refused, shownKinds)}${notTried}`]
			: []),
	].join(', ');
	return [
		...(main === '' ? [] : [main]),
		...(figures.covered > 0 ? [`${figures.covered} ${would}covered by earlier items`] : []),
		...describeSkips(figures, would),
		...describeParts(figures),
		...describeSmartEncodings(figures),
	].join('; ');
};

/** As many kinds of refusals as fit. */
const describeShortly = (describe: (shownKinds: number) => string, kindCount: number): string => {
	for (let shown = kindCount; shown > 1; shown--) {
		const text = describe(shown);
		if (text.length <= maxLength) return text;
	}
	return describe(1);
};

/**
 * How a run went, in a sentence; undefined where it is what one expects of one item. `results` are in the order of the
 * items.
 */
export const describeRun = (
	items: Prepared[],
	results: Results,
	told: Told,
): string | undefined => {
	const real = items.filter(({ isDry }) => !isDry);
	const dry = items.filter(({ isDry }) => isDry);
	const sent = figuresOf(real, results, told);
	const rehearsed = figuresOf(dry, results, told);
	const isOneSent = items.length === 1 && sent.accepted === 1;
	if (isOneSent && sent.smartEncodings.length === 0) return undefined;
	const which =
		real.length > 0
			? `Dry run of ${dry.length} of ${amount(items.length, 'item')}`
			: 'Dry run, nothing was sent';
	const wouldStop = told.stops && rehearsed.refused.size > 0;
	const describe = (shown: number) =>
		joinSentences(
			real.length > 0 ? describeFigures(sent, shown) : '',
			dry.length > 0 ? `${which}: ${describeFigures(rehearsed, shown, told.tally)}` : '',
			wouldStop ? 'Without Dry Run, the node would stop at them and send nothing' : '',
		);
	return (
		describeShortly(describe, Math.max(sent.refused.size, rehearsed.refused.size)) || undefined
	);
};

/** What had been sent when the user stopped the run, for n8n's log. */
export const describeStop = (items: Prepared[], results: Results, told: Told): string => {
	const figures = figuresOf(
		items.filter(({ isDry }) => !isDry),
		results,
		told,
	);
	const accepted = figures.accepted + figures.inPart + figures.covered;
	return `A Kudosity node was stopped: ${accepted} of ${amount(items.length, 'item')} had been accepted, ${figures.notConfirmed} not confirmed (may have been sent)`;
};

/** The remedy for the first wrong item, its value, what else is wrong, and how to send the others. */
export const describeProblems = (
	remedy: string | null | undefined,
	{ error }: { error: unknown },
	items: Prepared[],
): string => {
	const problems = items.flatMap((each) => ('error' in each && !each.isDry ? [each.error] : []));
	const value = error instanceof InputError ? error.notes.value : undefined;
	const counts: Counts = new Map();
	for (const each of problems) add(counts, kindOf(each));
	const extent = `${problems.length} of ${items.length} items ${problems.length === 1 ? 'has' : 'have'} a problem, so none was sent: ${listKinds(counts, 5)}`;
	return joinSentences(
		remedy,
		value && `The value ends in ${value}`,
		items.length > 1 ? extent : '',
		items.length > problems.length
			? 'To send the others, choose Settings → On Error → Continue (using error output), which also keeps the fields of the failed items'
			: '',
	);
};
