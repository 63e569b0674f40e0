import type { Resource } from '../../runtime/operation';
import { deleteContact } from './delete.operation';
import { get } from './get.operation';
import { optOut } from './optOut.operation';
import { upsert } from './upsert.operation';

export const contact: Resource = {
	value: 'contact',
	name: 'Contact',
	connection: 'basic',
	operations: [upsert, deleteContact, get, optOut],
};
