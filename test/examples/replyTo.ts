import type { useExample } from './useExample.ts';

/** Of several seconds each, with everything else that the machine does. */
export const patient = { timeoutMs: 60_000 };

type Person = { from: string; to: string };

/** Answers a question once it is there; a reply that comes before the execution waits is delivered again. */
export const reply = async (
	{ control }: ReturnType<typeof useExample>,
	question: string,
	text: string,
	person: Person,
): Promise<void> => {
	await control.waitForMessages({ text: question, recipient: person.from }, patient);
	await control.inbound({ ...person, text });
};
