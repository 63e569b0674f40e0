/**
 * Returns the suffix for the name of a question's webhook. It shows users who look at their Kudosity account that the
 * webhook belongs to a question, and until when. In this package, only Check Setup reads it (see `endMsIn`).
 */
export function questionSuffix(state: 'until' | 'answered' | 'ended', ms: number): string {
	const minute = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
	return ` (question ${state} ${minute} UTC)`;
}

/**
 * Matches the suffix, including the form that earlier versions of this package wrote, with seconds or with more text
 * after the time.
 */
const pattern = /\(question (?:until|answered|ended) ([\d-]{10}) ([\d:]{5})\S* UTC[^)]*\)$/;

/**
 * Returns when the question ends or ended, in epoch milliseconds. Returns NaN if the name isn't that of a question's
 * webhook.
 */
export function endMsIn(name: string): number {
	const [, date, minute] = pattern.exec(name) ?? [];
	return Date.parse(`${date}T${minute}Z`);
}
