import { optOutContact } from '../../api/endpoints/contact';
import { defineOperation } from '../../runtime/operation';
import { contact } from './contact';
import { inLists, listIdOf } from './inLists';

const lists = inLists('Whether to opt the contact out of all lists of the account');

/** POST /optout-list-member.json. */
export const optOut = defineOperation({
	value: 'optOut',
	name: 'Opt Out',
	action: 'Opt out contact',
	description:
		'Note in Kudosity that a contact wants no more messages, in one list or in all lists. Only the contact can take this back. With the Global Opt-Out list of the account switched on, one list stands for all.',
	fields: [contact, ...lists],
	run: async ({ call }, { contact: msisdn, ...chosen }) => {
		const answer = await call(optOutContact, { list_id: listIdOf(chosen), msisdn });
		return { msisdn, list_ids: answer.list_ids ?? [] };
	},
});
