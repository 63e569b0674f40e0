import type { RequestEntry } from '../../playground/emulator/control/client.ts';
import { failureCodes } from '../seams.ts';
import type { useEmulator } from '../engine/emulator.ts';
import type { RunResult } from '../engine/harness.ts';
import { operationsByName } from '../helpers/exampleFields.ts';
import { goodValuesFor, type AttackPoint } from './attackPoints.ts';
import type { createHonestRuns } from './honestRuns.ts';
import { createMeaning, leavesOf, type Meaning } from './meaning.ts';

type Fields = Record<string, unknown>;
type Service = ReturnType<typeof useEmulator>;
type HonestRuns = ReturnType<typeof createHonestRuns>;

/** What the service was asked, and whom messages went to. */
export type Traffic = {
	requests: RequestEntry[];
	accepted: Array<{ recipient: string; text: string }>;
};

/** The values that were the items of a run, and what it came to. */
type Batch = { values: unknown[]; result: RunResult };

/** What the nodes make up by themselves: references, pages, and the names and addresses of webhooks. */
const ownValues = [
	/^message_ref (n8n-)?[\da-f]{8}-[\da-f-]{27}$/,
	/^(limit|max|page|offset) \d{1,4}$/,
	/^(name|url) (n8n|http:\/\/localhost:5678\/)/,
	/^filter [\da-f]{8}-[\da-f-]{27}$/,
];

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The period of a report without dates, which is another one in the next second. The nodes' clock runs ahead where pauses
 * are skipped.
 */
const isNow = ({ key, text }: { key: string; text: string }): boolean =>
	['start', 'end'].includes(key) && Math.abs(Date.parse(text) - Date.now()) < weekMs;

/** Fields whose value decides which people, or which texts of the list, are meant. */
const choosesPeople = ['sendTo', 'listId'];

/** Reads the emulator's books from where they were read last. */
export const createBooks = ({ control }: Service) => {
	let seen = { requests: 0, accepted: 0 };
	return async (): Promise<Traffic> => {
		const [requests, accepted] = [await control.requests(), await control.accepted()];
		const traffic = {
			requests: requests.slice(seen.requests),
			accepted: accepted.slice(seen.accepted),
		};
		seen = { requests: requests.length, accepted: accepted.length };
		return traffic;
	};
};

/** Which the values become. */
const expression = '={{ $json.value }}';

/** One run, or where an operation asks one person only, one for each value. */
export const runWith = async (
	runs: HonestRuns,
	{ operation, fieldsWith }: AttackPoint,
	{ good, values }: { good: Fields; values: unknown[] },
): Promise<Batch[]> => {
	const fields = fieldsWith(good, expression);
	const parts = operation.endsWith('/sendAndWait') ? values.map((value) => [value]) : [values];
	const batches: Batch[] = [];
	for (const part of parts) {
		const items = part.map((value) => ({ value }));
		batches.push({ values: part, result: await runs.run(operation, fields, items) });
	}
	return batches;
};

/** Makes the requests that runs of the operation make when nobody attacks them. */
export const runHonestly = async (
	runs: HonestRuns,
	point: AttackPoint,
	good: Fields,
): Promise<void> => {
	const { operation, property } = point;
	const usual = good[property.name];
	await runs.run(operation, good, [{}]);
	if (usual !== undefined) await runs.run(operation, point.fieldsWith(good, usual), [{}]);
	const values = goodValuesFor(property);
	if (values.length > 0) await runWith(runs, point, { good, values });
};

const valuesOf = ({ query, body }: RequestEntry) => [...leavesOf(query), ...leavesOf(body)];

const keysOf = ({ query, body }: RequestEntry): string[] =>
	[query, body].flatMap((fields) => Object.keys(Object(fields)));

const isSlot = (key: string): boolean => /^field(\.|_)\d+$/.test(key);

/** A webhook that gets another name keeps its other settings. */
const isKept = ({ method }: RequestEntry, key: string): boolean =>
	method === 'PUT' && key === 'rate_limit';

export const problemsOfRequest = (
	request: RequestEntry,
	{ known, meaning }: { known: Known; meaning: Meaning },
): string[] => {
	const { method, path, headers } = request;
	const isKnownText = ({ key, text }: { key: string; text: string }) =>
		known.texts.has(`${key} ${text}`) ||
		ownValues.some((own) => own.test(`${key} ${text}`)) ||
		isNow({ key, text }) ||
		(isKept(request, key) && text === '0') ||
		meaning.couldMean(text);
	return [
		...(known.paths.some((pattern) => pattern.test(path)) ? [] : [`asks ${method} ${path}`]),
		...('x-injected' in headers ? ['has a header of the input'] : []),
		...keysOf(request)
			.filter((key) => !known.keys.has(key) && !isSlot(key) && !isKept(request, key))
			.map((key) => `${path} has a field ${key}`),
		...valuesOf(request)
			.filter((each) => !isKnownText(each))
			.map(({ key, text }) => `${path} says ${key}=${text.slice(0, 100)}`),
	];
};

type Known = { paths: RegExp[]; keys: Set<string>; texts: Set<string> };

export const knownOf = (honest: Traffic, paths: RegExp[]): Known => ({
	paths,
	keys: new Set(honest.requests.flatMap(keysOf)),
	texts: new Set(honest.requests.flatMap(valuesOf).map(({ key, text }) => `${key} ${text}`)),
});

const problemsOfMessages = (
	{ accepted }: Traffic,
	{ point, honest, meaning }: { point: AttackPoint; honest: Traffic; meaning: Meaning },
): string[] => {
	const { name } = point.property;
	const usual = new Set(honest.accepted.map(({ recipient }) => recipient));
	const usualTexts = new Set(honest.accepted.map(({ text }) => text));
	return accepted.flatMap(({ recipient, text }) => [
		...(/^\d{6,15}$/.test(recipient) ? [] : [`sends to ${recipient}`]),
		...(usual.has(recipient) || choosesPeople.includes(name) || meaning.couldBeNumber(recipient)
			? []
			: [`sends to ${recipient}, whom nobody meant`]),
		...(point.place !== 'message' || usualTexts.has(text) || meaning.isExactly(text)
			? []
			: [`sends the text ${JSON.stringify(text.slice(0, 100))}`]),
	]);
};

/** What programs say to programmers. */
const technical =
	/\[object |\bundefined\b|TypeError|RangeError|Cannot (read|convert)|is not (a function|iterable)|\n\s+at /;

const inputCodes = [
	'invalid_input',
	'invalid_number',
	'invalid_sender',
	'sending_limit',
	'limit_reached',
];

/** Where it is no single field, or the sentence names it without quotes. */
const namesNone =
	/^(There is nothing to change|The list already has 10 custom fields|Blocked Recipients is empty)\./;

export const problemsOfError = ({ error, details }: Fields): string[] => {
	const { code } = Object(details) as Fields;
	if (typeof error !== 'string') return [`has the error ${JSON.stringify(error)}`];
	// The service's refusals quote what it was sent.
	const isQuote = error.includes('Kudosity says');
	const isNamed =
		!inputCodes.includes(String(code)) || isQuote || /'[^']+'/.test(error) || namesNone.test(error);
	// Names of fields, and the value that an error shows because nobody wrote it.
	const ownWords = error.replace(/'[^']*'|has “[^”]*”/g, '');
	return [
		...(failureCodes.some((each) => each === code) && code !== 'unexpected'
			? []
			: [`fails with ${String(code)}: ${error}`]),
		...(isNamed ? [] : [`names no field: ${error}`]),
		...(technical.test(ownWords) && !isQuote ? [`says ${error}`] : []),
	];
};

/** Operations that are no lists, and have more than one record. */
const givesSeveral = ['rcs/checkCapability'];

/** One result for each item; a list can have any number of records. */
const problemsOfResults = (
	{ items, run }: RunResult,
	{ operation, count }: { operation: string; count: number },
): string[] => {
	const isListing = operationsByName[operation]!.isListing || givesSeveral.includes(operation);
	const results = Array.from({ length: count }, (_, item) =>
		items.filter(({ pairedItem }) => Object(pairedItem).item === item),
	);
	const wrong = results.findIndex(
		(found) => found.length !== 1 && (!isListing || found.some(({ json }) => 'error' in json)),
	);
	return [
		...(['success', 'waiting'].includes(run.status) ? [] : [`ends as ${run.status}`]),
		...(items.length === results.flat().length ? [] : ['puts out items of nobody']),
		...(wrong === -1 ? [] : [`has ${results[wrong]?.length} results for item ${wrong}`]),
	];
};

export type Attack = {
	point: AttackPoint;
	honest: Traffic;
	paths: RegExp[];
	batches: Batch[];
	/** Of all runs. */
	traffic: Traffic;
};

/** What somebody would complain about. */
export const problemsOf = ({ point, honest, paths, batches, traffic }: Attack): string[] => {
	const meaning = createMeaning(batches.flatMap(({ values }) => values));
	const known = knownOf(honest, paths);
	const { operation } = point;
	const failed = batches
		.flatMap(({ result }) => result.json)
		.filter((json) => 'error' in json && 'details' in json);
	const all = [
		...batches.flatMap(({ values, result }) =>
			problemsOfResults(result, { operation, count: values.length }),
		),
		...failed.flatMap(problemsOfError),
		...traffic.requests.flatMap((request) => problemsOfRequest(request, { known, meaning })),
		...problemsOfMessages(traffic, { point, honest, meaning }),
	];
	return [...new Set(all)];
};
