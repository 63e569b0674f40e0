import { z } from 'zod/v4';
import { shapes } from './contentShapes';

type Message = { message?: string | null; content?: unknown };

const textContent = z.looseObject({ text: shapes.TEXT });
const chosenAnswer = z.union([
	z.looseObject({ button: shapes.BUTTON }).transform(({ button }) => button.text),
	z
		.looseObject({ reply: z.looseObject({ title: z.string() }) })
		.transform(({ reply }) => reply.title),
]);

/** The text of a message, which a rich one has in its content. */
export const textOf = ({ message, content }: Message): string | undefined =>
	message ?? textContent.safeParse(content).data?.text.message;

/** What somebody said with a message: its text, or the words of the button or answer they chose. */
export const wordsOf = ({ message, content }: Message): string =>
	message || (textOf({ content }) ?? chosenAnswer.safeParse(content).data ?? '');
