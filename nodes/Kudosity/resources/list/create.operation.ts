import { bySlot, isSameName, mostCustomFields } from '../../api/customFields';
import { createList } from '../../api/endpoints/list';
import { field } from '../../fields/field';
import { nameField } from '../../fields/nameField';
import { commaList, textList } from '../../fields/readers/list';
import { refuse } from '../../fields/refusal';
import { defineOperation } from '../../runtime/operation';

const name = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Autumn Campaign',
	description: 'No other list of the account may have it',
});

/** Each name once, in the order of their slots. */
const readFieldNames = (value: unknown): string[] => {
	// Those of a list stay whole, as the headings of a file may hold commas.
	const names = Array.isArray(value) ? textList(value) : commaList(value);
	if (names.length > mostCustomFields) {
		return refuse(
			`has ${names.length} names, ${mostCustomFields} are allowed`,
			`Leave some out: a list has at most ${mostCustomFields} custom fields`,
		);
	}
	const hasTwice = names.some((one, index) =>
		names.slice(0, index).some((other) => isSameName(one, other)),
	);
	return hasTwice ? refuse('has a name twice', 'Use each name once') : names;
};

const fieldNames = field(
	{
		displayName: 'Custom Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. Email, Postcode',
		description:
			'Names of the fields that contacts of the list have besides first and last name, separated by commas. At most 10.',
	},
	readFieldNames,
);

/** POST /add-list.json. */
export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create list',
	description: 'Create a contact list, with names for its custom fields',
	fields: [name, fieldNames],
	once: true,
	run: async ({ call }, { name, fields }) => {
		const names = fields.map((field, index): [number, string] => [index + 1, field]);
		return await call(createList, { name, ...bySlot(names) });
	},
});
