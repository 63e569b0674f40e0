/**
 * Sorts options as n8n wants them, whatever the case of letters. `localeCompare` would make n8n load the rules
 * of a language at its start.
 */
export const byName = (a: { name: string }, b: { name: string }): number =>
	a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
