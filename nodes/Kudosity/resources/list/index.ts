import type { Resource } from '../../runtime/operation';
import { getAll } from './getAll.operation';

export const list: Resource = { value: 'list', name: 'List', operations: [getAll] };
