import type { Resource } from '../../runtime/operation';
import { getAll } from './getAll.operation';

export const number: Resource = { value: 'number', name: 'Number', operations: [getAll] };
