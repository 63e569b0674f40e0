import type { Json } from '../lib/json';

/** The fields of an answer about a message to one recipient. */
const messageFields = ['id', 'recipient', 'status', 'parts'];

/**
 * Shortens an answer to the fields that an agent needs, because every other field costs tokens at each of its steps. An
 * answer without the first two of `names` is not about a message, e.g. if the item was skipped, and stays unchanged.
 */
export function agentAnswer(answer: Json, names: readonly string[] = messageFields): Json {
	if (!names.slice(0, 2).every((name) => name in answer)) return answer;
	const present = names.filter((name) => name in answer);
	return Object.fromEntries(present.map((name) => [name, answer[name]]));
}
