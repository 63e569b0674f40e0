/** Ends the name of a question's webhook, for people who look at the account. Nothing but Check Setup reads it. */
export function questionSuffix(state: 'until' | 'answered' | 'ended', ms: number): string {
	const minute = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
	return ` (question ${state} ${minute} UTC)`;
}

/** Versions before this one wrote seconds, or more after the time. */
const pattern = /\(question (?:until|answered|ended) ([\d-]{10}) ([\d:]{5})\S* UTC[^)]*\)$/;

/** When the question ends or ended, in milliseconds since the epoch. NaN for any other name. */
export function endMsIn(name: string): number {
	const [, date, minute] = pattern.exec(name) ?? [];
	return Date.parse(`${date}T${minute}Z`);
}
