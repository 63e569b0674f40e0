import type { Resource } from '../../runtime/operation';
import { create } from './create.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

export const keyword: Resource = {
	value: 'keyword',
	name: 'Keyword',
	connection: 'basic',
	operations: [getAll, create, update],
};
