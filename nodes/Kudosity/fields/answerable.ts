import { isStop } from '../events/stopWords';
import { refuse } from './refusal';

/** Texts that people can answer with: STOP opts them out, and so would never be chosen. */
export const answerable = (words: string[]): string[] =>
	words.some(isStop)
		? refuse(
				'has STOP among them, which nobody can answer: it ends all messages to whoever sends it',
				'Use another word, e.g. Halt',
			)
		: words;
