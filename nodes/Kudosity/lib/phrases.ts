/**
 * Words and short phrases that stand for each other, by name. They are patterns in upper case, and may contain the
 * names of other groups in braces.
 */
export type Groups = Record<string, string>;

/** Returns the text that phrases are compared with: a space follows each word, and a slash stands between sentences. */
export function phraseText(sentences: readonly string[]): string {
	return `${sentences.filter((sentence) => sentence !== '').join(' / ')} `;
}

/**
 * Returns a function that turns phrases into one pattern. It is tested on the `phraseText` of sentences in upper case
 * without punctuation. A phrase is a list of words:
 *
 * - `A|B` is one of two words, and `{name}` is one of a group.
 * - `A?` may be missing. `A*` may be missing, or come up to six times.
 * - `..3` is up to three words of any kind.
 * - `!A` means that the next word isn't A, and `<A` that the word before isn't.
 * - `^` and `$` are the start and the end of a sentence, and `^^` is the start of the text.
 * - `/?` is where one sentence may end and the next begin. Otherwise, a phrase stands in one sentence.
 *
 * `A B` and `C?` can be one of several words only in a group: a phrase is split at each space, and its `?` makes the
 * whole list optional.
 */
export function phrasesWith(
	groups: Groups,
): (phrases: readonly string[], flags?: string) => RegExp {
	// A group that doesn't exist throws here, so the package can't be loaded.
	const expand = (words: string): string =>
		words.replace(/\{(\w+)\}/g, (_, name: string) => `(?:${expand(groups[name] as string)})`);

	const patternOf = (word: string): string => {
		if (word === '^') return '(?<=^|/ )';
		if (word === '^^') return '^';
		if (word === '$') return '(?=/|$)';
		if (word === '/?') return '(?:/ )?';
		// Repetitions are limited, because the time that a text takes must not grow with the square of its length.
		if (word.startsWith('..')) return `(?:[^ /]+ ){0,${word.slice(2)}}`;
		if (word.startsWith('!')) return `(?!(?:${expand(word.slice(1))}) )`;
		if (word.startsWith('<')) return `(?<!(?<!\\S)(?:${expand(word.slice(1))}) )`;
		const [, one = '', times = ''] = /^(.*?)([?*]?)$/.exec(word) ?? [];
		return `(?:(?:${expand(one)}) )${times === '*' ? '{0,6}' : times}`;
	};

	return (phrases, flags = '') => {
		const patterns = phrases.map((phrase) => phrase.split(' ').map(patternOf).join(''));
		return new RegExp(`(?<!\\S)(?:${patterns.join('|')})`, flags);
	};
}
