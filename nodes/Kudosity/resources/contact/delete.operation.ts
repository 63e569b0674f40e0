import { deleteContact as deleteEndpoint } from '../../api/endpoints/contact';
import { defineOperation } from '../../runtime/operation';
import { contact } from './contact';
import { inLists, listIdOf } from './inLists';

const lists = inLists('Whether to delete the contact from all lists of the account');

/** POST /delete-from-list.json. `delete` itself is a reserved word. */
export const deleteContact = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete contact',
	description:
		'Delete a contact with its data from one list, or from all lists. This cannot be taken back: Kudosity may refuse to add the contact to the list again. To stop messages, opt the contact out instead.',
	fields: [contact, ...lists],
	once: true,
	run: async ({ call }, { contact: msisdn, ...chosen }) => {
		const answer = await call(deleteEndpoint, { list_id: listIdOf(chosen), msisdn });
		return { deleted: true, id: msisdn, list_ids: answer.list_ids ?? [] };
	},
});
