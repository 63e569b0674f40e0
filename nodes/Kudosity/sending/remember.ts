import type { Json } from '../api/json';
import type { Names } from './attemptNames';
import type { Attempt, SendMemory } from './sendMemory';
import { idOf } from './sentMessages';

/** What a former try of the same send came to. */
export const recall = (memory: SendMemory, { place, doubt }: Names): Attempt | undefined =>
	(place === undefined ? undefined : memory.recall(place)) ??
	(doubt === undefined ? undefined : memory.recall(doubt));

/** By which no later try finds it: that the message was an answer is all that has to be known. */
const nameOfAnswer = (attempt: Attempt): string | undefined =>
	attempt.outcome === 'accepted' ? `answer:${String(idOf(attempt.answer))}` : undefined;

/** What was accepted is not remembered by content: an agent may well send the same text twice. */
export const remember = (memory: SendMemory, { place, doubt }: Names, attempt: Attempt): void => {
	const name = place ?? nameOfAnswer(attempt);
	if (name !== undefined) memory.remember(name, attempt);
	if (doubt !== undefined && attempt.outcome === 'unknown') memory.remember(doubt, attempt);
};

/** The item's next try begins anew. */
export const forget = (memory: SendMemory, { place }: Names): void => {
	if (place !== undefined) memory.drop(place);
};

/** The answer to what was remembered as unknown. */
export const rememberFound = (memory: SendMemory, names: Names, answer: Json): void => {
	remember(memory, names, { outcome: 'accepted', answer });
	if (names.doubt !== undefined) memory.drop(names.doubt);
};
