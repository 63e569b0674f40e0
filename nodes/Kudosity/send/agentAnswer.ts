import type { Json } from '../lib/json';

/** For a message to one recipient. */
const messageFields = ['id', 'recipient', 'status', 'parts'];

/**
 * What an agent needs to know; every other field costs tokens at each of its steps. An answer without the first two of
 * `names` is not a message, e.g. of a skipped item, and stays as it is.
 */
export function agentAnswer(answer: Json, names: readonly string[] = messageFields): Json {
	if (!names.slice(0, 2).every((name) => name in answer)) return answer;
	const present = names.filter((name) => name in answer);
	return Object.fromEntries(present.map((name) => [name, answer[name]]));
}
