/** RFC 3339 in UTC. Digits beyond milliseconds are zeros. */
export const withFractionDigits = (at: Date, digits: number) =>
	at
		.toISOString()
		.replace(/(\.\d{3})Z$/, (_, fraction: string) => `${fraction.padEnd(digits + 1, '0')}Z`);

export const wholeSeconds = (at: Date) => at.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** The v1 format: `YYYY-MM-DD HH:MM:SS`, UTC. */
export const v1DateTime = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
