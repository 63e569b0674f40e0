/** Sorts options as n8n wants them. `localeCompare` would make n8n load the rules of a language at its start. */
export const byName = (a: { name: string }, b: { name: string }): number =>
	a.name < b.name ? -1 : 1;
