import type { Resource } from '../../runtime/operation';
import { format } from './format.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { lease } from './lease.operation';
import { update } from './update.operation';

export const number: Resource = {
	value: 'number',
	name: 'Number',
	connection: 'basic',
	operations: [getAll, get, lease, update, format],
};
