import type { Resource } from '../../runtime/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { waitForStatus } from './waitForStatus.operation';

export const rcs: Resource = {
	value: 'rcs',
	name: 'RCS Message',
	operations: [get, getAll, waitForStatus],
};
