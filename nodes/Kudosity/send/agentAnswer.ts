import type { Json } from '../lib/json';

/** The fields that an agent gets by default. An operation's `agentFields` replace them. */
const messageFields = ['id', 'recipient', 'status', 'parts'];

/**
 * Shortens an answer to the fields that an agent needs, because every additional field costs tokens at each step of the
 * agent. If an answer lacks one of the first two `names`, it isn't about a message (e.g. the item was skipped) and
 * remains unchanged.
 */
export function agentAnswer(answer: Json, names: readonly string[] = messageFields): Json {
	if (!names.slice(0, 2).every((name) => name in answer)) return answer;
	const present = names.filter((name) => name in answer);
	return Object.fromEntries(present.map((name) => [name, answer[name]]));
}
