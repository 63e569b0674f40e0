import { deleteList as deleteEndpoint } from '../../api/endpoints/list';
import { listId } from '../../fields/listId';
import { defineOperation } from '../../runtime/operation';

/** POST /remove-list.json. `delete` itself is a reserved word. */
export const deleteList = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete list',
	description: 'Delete a contact list together with all contacts in it. This cannot be taken back.',
	fields: [listId],
	once: true,
	run: async ({ call }, { listId: id }) => {
		await call(deleteEndpoint, { list_id: id });
		return { deleted: true, id };
	},
});
