import { byName } from '../runtime/byName';
import { filterStatuses } from './statuses';

/** `HARD_BOUNCE` reads Hard Bounce. */
const titleCase = (status: string): string =>
	status
		.split('_')
		.map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
		.join(' ');

/** The choices of a status filter, in the order of their names. */
export const statusOptions = filterStatuses
	.map((value) => ({ name: titleCase(value), value }))
	.sort(byName);
