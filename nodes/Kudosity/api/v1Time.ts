/** An instant as the older API writes and reads it: `2026-01-31 09:00:00`, in UTC. */
export const v1Time = (instantMs: number): string =>
	new Date(instantMs).toISOString().slice(0, 19).replace('T', ' ');
