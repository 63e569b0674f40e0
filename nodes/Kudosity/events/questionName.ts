import { endDigestLength } from './tokens';

/**
 * What the name of a question's webhook says, for people, other processes and after a restart: n8n keeps nothing that a
 * node does while its execution waits. All times are UTC.
 */
const suffix =
	/\(question until ([\d-]{10}) ([\d:]{5}) UTC(?:, (?:not sent yet|sent [\d-]{10} [\d:]{8}))?(?:, explained)?\)$/;

const timeOf = (ms: number, length: number): string =>
	new Date(ms).toISOString().slice(0, length).replace('T', ' ');

const minuteOf = (ms: number): string => timeOf(ms, 16);
const secondOf = (ms: number): string => timeOf(ms, 19);

export function questionSuffix(untilMs: number): string {
	return ` (question until ${minuteOf(untilMs)} UTC)`;
}

/** How a question ended: with which message, by a digest that only a holder of the API key can make. */
export type Ending = { isAnswer: boolean; digest: string };

/** `endedMs`: the time of the event that ended it. */
export function endedSuffix({ isAnswer, digest }: Ending, endedMs: number): string {
	return ` (question ${isAnswer ? 'answered' : 'ended'} ${secondOf(endedMs)} UTC ${digest})`;
}

const endedPattern = /\(question (answered|ended) [\d-]{10} [\d:]{8} UTC ([\w-]+)\)$/;

/** Undefined while the question is open. */
export function endingIn(name = ''): Ending | undefined {
	const [, word, digest] = endedPattern.exec(name) ?? [];
	return digest === undefined ? undefined : { isAnswer: word === 'answered', digest };
}

/** The longest that it can become. */
export function longestSuffix(untilMs: number): string {
	return endedSuffix({ isAnswer: true, digest: '-'.repeat(endDigestLength) }, untilMs);
}

/** When the wait of a question ends, in milliseconds since the epoch; NaN for any other name. */
export function endMsIn(name: string): number {
	const [, date, minute] = suffix.exec(name) ?? [];
	return Date.parse(`${date}T${minute}Z`);
}
