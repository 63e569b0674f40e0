import type { Resource } from '../../runtime/operation';
import { addField } from './addField.operation';
import { create } from './create.operation';
import { deleteList } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getContacts } from './getContacts.operation';
import { getImport } from './getImport.operation';
import { importContacts } from './importContacts.operation';

export const list: Resource = {
	value: 'list',
	name: 'List',
	connection: 'basic',
	operations: [getAll, addField, create, deleteList, get, getContacts, getImport, importContacts],
};
