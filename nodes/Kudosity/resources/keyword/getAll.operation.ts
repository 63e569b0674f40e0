import { getKeywords } from '../../api/endpoints/keyword';
import { readAccountNumber } from '../../fields/accountNumber';
import { filters } from '../../fields/collection';
import { field, type Field } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { optional } from '../../fields/readers/text';
import { defineOperation } from '../../runtime/operation';

const number: Field<'number', string | undefined> = {
	...field(
		{
			displayName: 'Number',
			name: 'number',
			type: 'string',
			default: '',
			placeholder: 'e.g. 61491570006',
			description: 'Only keywords of this number',
		},
		optional(readAccountNumber),
	),
	takesPhoneNumbers: true,
};

/** POST /get-keywords.json: one item for each keyword. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many keywords',
	description: 'List the keywords of the account, with what each of them does',
	fields: [...listing, filters(number)],
	run: ({ list }, { filters, ...input }) => list(getKeywords, filters, limitOf(input)),
});
