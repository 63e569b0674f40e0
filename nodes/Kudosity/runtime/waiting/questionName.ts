import { webhookNameIn, type Place } from '../webhookName';

/** The time in UTC, to the minute. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/**
 * n8n keeps nothing of what a node does while it goes on waiting. The name of the webhook does, for all
 * processes and after a restart.
 */
const mark = ', explained)';

/** Says until when the webhook is needed, and leaves room for the mark. */
export const questionName = (place: Place, untilMs: number): string =>
	webhookNameIn(place, ` (question until ${minuteOf(untilMs)} UTC${mark}`).slice(0, -mark.length) +
	')';

export const explainedName = (name: string): string => name.replace(/\)$/, mark);

export const isExplained = (name: string): boolean => name.endsWith(mark);
