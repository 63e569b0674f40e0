import { customFieldsOf } from '../../api/customFields';
import { getList } from '../../api/endpoints/list';
import { upsertContact } from '../../api/upsertContact';
import { customFields } from '../../fields/customFields';
import { field, type InputOf } from '../../fields/field';
import { listId } from '../../fields/listId';
import { optional, trimmedText } from '../../fields/readers/text';
import { defineOperation, type Services } from '../../runtime/operation';
import { onePerName } from '../../sending/onePerName';
import { contact } from './contact';
import { customFieldValues } from './customFieldValues';

const firstName = field(
	{
		displayName: 'First Name',
		name: 'firstName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Sam',
		description: 'Leave empty to keep the name that is there',
	},
	optional(trimmedText),
);

const lastName = field(
	{
		displayName: 'Last Name',
		name: 'lastName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Lee',
		description: 'Leave empty to keep the name that is there',
	},
	optional(trimmedText),
);

const fields = [contact, listId, firstName, lastName, customFields] as const;
type Input = InputOf<typeof fields>;

/** What is to be set. Custom fields are written by slot, so the list is asked where each one is. */
const valuesOf = async ({ callOnce }: Services, input: Input): Promise<Record<string, string>> => {
	const { firstName, lastName, customFields, listId } = input;
	const names = {
		...(firstName !== undefined && { first_name: firstName }),
		...(lastName !== undefined && { last_name: lastName }),
	};
	if (customFields.length === 0) return names;
	const list = await callOnce(getList, { list_id: listId, members: 'none' });
	return { ...names, ...customFieldValues(customFields, customFieldsOf(list.fields)) };
};

const write = async (services: Services, input: Input) =>
	await upsertContact(services, {
		id: { list_id: input.listId, msisdn: input.contact },
		wanted: input,
		values: await valuesOf(services, input),
	});

/** Items about one contact take turns: the last one counts. */
const perContact = onePerName();

/** POST /add-to-list.json, and where the contact is in the list, POST /edit-list-member.json. */
export const upsert = defineOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update contact',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields,
	run: async (services, input) =>
		await perContact(
			services.clock,
			`${input.listId} ${input.contact}`,
			async () => await write(services, input),
		),
});
