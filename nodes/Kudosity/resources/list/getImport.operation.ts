import { getImport as endpoint } from '../../api/endpoints/list';
import { listId } from '../../fields/listId';
import { defineOperation } from '../../runtime/operation';

/** POST /add-contacts-bulk-progress.json. */
export const getImport = defineOperation({
	value: 'getImport',
	name: 'Get Import',
	action: 'Get import of list',
	description:
		'Get the progress of the latest import into a contact list: its status, and how many contacts were imported, skipped, duplicates or opted out',
	fields: [listId],
	run: async ({ call }, { listId }) => await call(endpoint, { list_id: listId }),
});
