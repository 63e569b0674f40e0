import type { useExample } from './useExample.ts';

type Person = { from: string; to: string };

/** Answers a question once it is there; a reply that comes before the execution waits is delivered again. */
export const reply = async (
	{ control }: ReturnType<typeof useExample>,
	question: string,
	text: string,
	person: Person,
): Promise<void> => {
	await control.waitForMessages({ text: question, recipient: person.from });
	await control.inbound({ ...person, text });
};
