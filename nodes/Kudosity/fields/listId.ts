import { field } from './field';
import { numberId, optional } from './readers/text';
import { resourceLocator } from './resourceLocator';

/** A contact list of the account. */
export const listId = resourceLocator(
	{
		displayName: 'List',
		name: 'listId',
		noun: 'list',
		searchListMethod: 'searchLists',
		placeholder: 'e.g. 4100002',
		description: 'A contact list of the account',
	},
	numberId('a list', 'Choose a list, or use its ID, a number like 4100001'),
);

/** One that can be left out, within a collection, where nothing can be chosen from a list. */
export const maybeListId = (description: string) =>
	field(
		{
			displayName: 'List ID',
			name: 'listId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 4100001',
			description,
		},
		optional(
			numberId('a list', 'Use the ID of a list, a number like 4100001, see List → Get Many'),
		),
	);
