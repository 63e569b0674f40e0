import { field } from './field';
import { fixedCollection } from './fixedCollection';
import { nameField } from './nameField';
import { optional, trimmedText } from './readers/text';

const name = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Suburb',
	description: 'The name of the field in the list',
});

const value = field(
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		placeholder: 'e.g. Carlton',
		description: 'Leave empty to keep the value that is there',
	},
	optional(trimmedText),
);

/** Values of a contact's custom fields, by the names that the fields have in the list. */
export const customFields = fixedCollection(
	{
		displayName: 'Custom Fields',
		name: 'customFields',
		row: 'Field',
		placeholder: 'Add custom field',
		description:
			'Values of custom fields by their names. The list has to have the fields: List → Add Field adds one.',
	},
	[name, value],
);
