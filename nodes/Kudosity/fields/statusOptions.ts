import { byName } from './byName';
import { filterStatuses } from '../events/statuses';

/** `HARD_BOUNCE` reads Hard Bounce. */
const titleCase = (status: string): string =>
	status
		.split('_')
		.map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
		.join(' ');

/** Statuses as choices, in the order of their names. */
export const statusOptionsOf = (statuses: readonly string[]) =>
	statuses.map((value) => ({ name: titleCase(value), value })).sort(byName);

/** The choices of a webhook's status filter. */
export const statusOptions = statusOptionsOf(filterStatuses);
