import type { InputCode } from '../api/errors';

/** A value that cannot be right. The message goes on after the name of its field: "is empty". */
export class Refusal extends Error {
	override name = 'Refusal';

	constructor(
		readonly problem: string,
		readonly remedy: string,
		readonly code?: InputCode,
	) {
		super(problem);
	}
}

/** Says what is wrong with a value, and how the user can put it right. Never quotes the value. */
export const refuse = (problem: string, remedy: string, code?: InputCode): never => {
	throw new Refusal(problem, remedy, code);
};

/** What reading came to. */
export const attempt = <Value>(read: () => Value): { value: Value } | { error: unknown } => {
	try {
		return { value: read() };
	} catch (error) {
		return { error };
	}
};
