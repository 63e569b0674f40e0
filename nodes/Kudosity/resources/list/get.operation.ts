import { getList } from '../../api/endpoints/list';
import { listId } from '../../fields/listId';
import { defineOperation } from '../../runtime/operation';

/** POST /get-list.json without its contacts. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get list',
	description: 'Get a contact list with its custom fields and the number of its contacts',
	fields: [listId],
	run: async ({ call }, { listId }) => await call(getList, { list_id: listId, members: 'none' }),
});
