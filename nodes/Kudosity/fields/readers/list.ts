import { refuse } from '../refusal';
import { isText } from './text';

/** One text, or a list of them however deep, each whole and trimmed. Empty ones do not count. */
export const textList = (value: unknown): string[] => {
	const entries = [value].flat(Infinity).filter((entry) => entry !== undefined && entry !== null);
	return entries.every(isText)
		? entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '')
		: refuse(
				'is not a list of texts',
				'Use one value, several, or an expression that returns a list of texts',
			);
};

const splitAt =
	(separator: RegExp) =>
	(value: unknown): string[] =>
		textList(value)
			.flatMap((entry) => entry.split(separator))
			.map((entry) => entry.trim())
			.filter((entry) => entry !== '');

/** The same for values that hold no comma themselves, so that a comma can separate them. */
export const commaList = splitAt(/,/);

/** The same for words in any language: the comma of their script separates them, too, and a new line does. */
export const wordList = splitAt(/[,，、،\n]/);

/** `read`, but undefined where the field was not added: an empty one can mean something else. */
export const ifAdded =
	<Value, Rest extends unknown[]>(read: (value: unknown, ...rest: Rest) => Value) =>
	(value: unknown, ...rest: Rest): Value | undefined =>
		value === undefined ? undefined : read(value, ...rest);
