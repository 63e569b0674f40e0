import { getContact } from '../../api/endpoints/contact';
import { listId } from '../../fields/listId';
import { defineOperation } from '../../runtime/operation';
import { contact } from './contact';

/** POST /get-contact.json. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get contact',
	description: 'Get a contact of a list with its status and custom fields',
	fields: [contact, listId],
	run: async ({ call }, { contact: msisdn, listId }) =>
		await call(getContact, { list_id: listId, msisdn }),
});
