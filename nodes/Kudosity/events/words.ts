import { isJson } from '../api/json';

type Message = { message?: string | null; content?: unknown };

/** A message of another kind, or of an odd shape, has no text there: most have not, so that it must cost little. */
const textIn = (content: unknown, kind: string, name: string): string | undefined => {
	const part = isJson(content) ? content[kind] : undefined;
	const text = isJson(part) ? part[name] : undefined;
	return typeof text === 'string' ? text : undefined;
};

/** The text of a message, which a rich one has in its content. */
export const textOf = ({ message, content }: Message): string | undefined =>
	message ?? textIn(content, 'text', 'message');

/** What somebody said with a message: its text, or the words of the button or answer they chose. */
export const wordsOf = ({ message, content }: Message): string =>
	message ||
	(textIn(content, 'text', 'message') ??
		textIn(content, 'button', 'text') ??
		textIn(content, 'reply', 'title') ??
		'');
