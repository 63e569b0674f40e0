import { contactStatuses, getActiveContacts, getContactsOfList } from '../../api/endpoints/list';
import { filters } from '../../fields/collection';
import { field } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { listId } from '../../fields/listId';
import { maybeOneOf } from '../../fields/readers/choice';
import { defineOperation } from '../../runtime/operation';

const status = field(
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Active', value: 'active' },
			{
				name: 'Inactive',
				value: 'inactive',
				description:
					'Contacts that were deleted, and those who have opted out as far as Kudosity counts them in: to miss none, leave the filter out',
			},
		],
		default: 'active',
		description: 'Which contacts to get: all of them without this filter',
	},
	maybeOneOf(contactStatuses),
);

/** POST /get-list.json: one item for each contact. */
export const getContacts = defineOperation({
	value: 'getContacts',
	name: 'Get Contacts',
	action: 'Get contacts of list',
	description:
		'Get the contacts of a list with their status and custom fields, also those that have opted out',
	fields: [listId, ...listing, filters(status)],
	run: ({ list }, { listId, filters: { status }, ...input }) => {
		const endpoint = status === 'active' ? getActiveContacts : getContactsOfList;
		return list(endpoint, { list_id: listId, members: status }, limitOf(input));
	},
});
