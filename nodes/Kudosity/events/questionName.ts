/** Returns the suffix of a question webhook's name, for users who look at their account. Only Check Setup reads it. */
export function questionSuffix(state: 'until' | 'answered' | 'ended', ms: number): string {
	const minute = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
	return ` (question ${state} ${minute} UTC)`;
}

/** Also matches the names that earlier versions wrote, with seconds or with more text after the time. */
const pattern = /\(question (?:until|answered|ended) ([\d-]{10}) ([\d:]{5})\S* UTC[^)]*\)$/;

/**
 * Returns when the question ends or ended, in epoch milliseconds. NaN if the name isn't that of a question's webhook.
 */
export function endMsIn(name: string): number {
	const [, date, minute] = pattern.exec(name) ?? [];
	return Date.parse(`${date}T${minute}Z`);
}
