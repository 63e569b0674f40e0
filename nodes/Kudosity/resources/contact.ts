import {
	deleteContact as deleteEndpoint,
	getContact,
	optOutContact,
	upsertContact,
} from '../api/endpoints/contact';
import {
	bySlot,
	type CustomField,
	customFieldsOf,
	findCustomField,
	getList,
} from '../api/endpoints/list';
import { readLists, readMembers, unreadList } from '../api/endpoints/membership';
import { InputError } from '../api/errors';
import { listId, contactField } from '../fields/recordFields';
import { fixedCollection, nameField, options, switchField } from '../fields/collections';
import { field, type InputOf, shownWhen, textField } from '../fields/field';
import { listing, readLimit } from '../fields/listing';
import { loadPhones } from '../fields/phone/phones';
import { oneOf, optional, trimmedText } from '../fields/readers';
import { keyedSemaphore } from '../lib/async';
import { defineOperation, type Resource, type Services } from '../fields/operation';
import { createYielder } from '../n8n/clock';
import { describeUnread, findOptedOut, toRecords } from './optedOut';

const contactOfList = contactField(
	"The contact's phone number with a country code. If Default Country is set, you can leave out the country code.",
);

/** The fields that select one list or all lists. `listIdOf` converts their values to the `list_id` of a request. */
const inLists = (description: string, usual: 'list' | 'all' = 'list') =>
	[
		// An expression that returns nothing is refused, because neither choice would be a safe default.
		field(oneOf(['list', 'all']), {
			displayName: 'Lists',
			name: 'from',
			type: 'options',
			options: [
				{ name: 'All Lists', value: 'all' },
				{ name: 'One List', value: 'list' },
			],
			default: usual,
			description,
		}),
		shownWhen({ from: ['list'] }, listId),
	] as const;

/**
 * Returns the `list_id`, which is 0 for all lists.
 *
 * @throws InputError - no list is selected, so the service would apply the request to all lists
 */
function listIdOf({ from, listId }: { from: string; listId?: string }): string {
	if (from === 'all') return '0';
	if (listId !== undefined) return listId;
	throw new InputError("'List' is empty", "Select a list, or set 'Lists' to 'All Lists'");
}

const name = nameField({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Suburb',
	description: 'Name of the field in the list',
});

const value = textField(optional(trimmedText), {
	displayName: 'Value',
	name: 'value',
	placeholder: 'e.g. Carlton',
	description: 'Leave empty to keep the current value',
});

export const customFields = fixedCollection([name, value], {
	displayName: 'Custom Fields',
	name: 'customFields',
	row: 'Field',
	placeholder: 'Add custom field',
	description:
		'Values of custom fields. The fields must exist in the list: to add a field, use List → Add Field.',
});

const quoted = (names: string[]): string => names.map((name) => `'${name}'`).join(', ');

const unknownField = (name: string, fields: CustomField[]) =>
	new InputError(
		`'Custom Fields' has '${name}', which is not a field of the list`,
		fields.length === 0
			? 'The list has no custom fields. Add one with List → Add Field'
			: `Use one of these: ${quoted(fields.map((field) => field.name))}. Or add the field with List → Add Field`,
	);

/**
 * Returns the custom fields to write. Empty values are left out, because they would overwrite the current ones.
 *
 * @throws InputError - a name is unknown or occurs twice
 */
function customFieldValues(named: Input['customFields'], fields: CustomField[]) {
	const known = named.map(({ name, value }) => {
		const slot = findCustomField(fields, name)?.slot;
		if (slot === undefined) throw unknownField(name, fields);
		return { name, value, slot };
	});
	const twice = known.find(
		(each, index) => known.findIndex(({ slot }) => slot === each.slot) < index,
	);
	if (twice) {
		throw new InputError(`'Custom Fields' has '${twice.name}' twice`, 'Use each field only once');
	}
	return bySlot(known.flatMap(({ slot, value }) => (value === undefined ? [] : [[slot, value]])));
}

const partOfName = <const Name extends string>(name: Name, displayName: string, example: string) =>
	textField(optional(trimmedText), {
		displayName,
		name,
		placeholder: `e.g. ${example}`,
		description: 'Leave empty to keep the current name',
	});

const firstName = partOfName('firstName', 'First Name', 'Sam');
const lastName = partOfName('lastName', 'Last Name', 'Lee');

const fields = [contactOfList, listId, firstName, lastName, customFields] as const;
type Input = InputOf<typeof fields>;

/**
 * Returns the values to write. Requests identify custom fields by slot (`field_1` to `field_10`), not by name, so the
 * slots are read from the list first.
 */
async function valuesOf({ callShared }: Services, input: Input): Promise<Record<string, string>> {
	const { firstName, lastName, customFields, listId } = input;
	const names = {
		...(firstName !== undefined && { first_name: firstName }),
		...(lastName !== undefined && { last_name: lastName }),
	};
	if (customFields.length === 0) return names;
	const list = await callShared(getList, { list_id: listId, members: 'none' });
	return { ...names, ...customFieldValues(customFields, customFieldsOf(list.fields)) };
}

/** Runs changes to the same contact one at a time, so the last one wins and none undoes an opt-out. */
const contactMutex = keyedSemaphore(1).runUnlessCancelled;

export const upsert = defineOperation({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update contact',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields,
	run: async (services, input) =>
		await contactMutex(services.clock, input.contact, async () => {
			const id = { list_id: input.listId, msisdn: input.contact };
			const values = await valuesOf(services, input);
			return await upsertContact(services, { id, wanted: input, values });
		}),
});

export const deleteContact = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete contact',
	description:
		'Permanently delete a contact from one list or all lists. To only stop messages, opt the contact out instead.',
	fields: [contactOfList, ...inLists('The lists to delete the contact from')],
	once: true,
	run: async ({ call }, { contact: msisdn, ...chosen }) => {
		const answer = await call(deleteEndpoint, { list_id: listIdOf(chosen), msisdn });
		return { deleted: true, id: msisdn, list_ids: answer.list_ids ?? [] };
	},
});

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get contact',
	description: "Get a contact from a list, including the contact's status and custom fields",
	fields: [contactOfList, listId],
	run: async ({ call }, { contact: msisdn, listId }) =>
		await call(getContact, { list_id: listId, msisdn }),
});

const includeUnreadable = switchField({
	displayName: 'Include Unreadable',
	name: 'includeUnreadable',
	description:
		"Whether to also output people whose number can't be read, with <code>contact: null</code> and the reason",
});

export const getOptedOut = defineOperation({
	value: 'getOptedOut',
	name: 'Get Opted Out',
	action: 'Get opted out contacts',
	description:
		"Get everyone who opted out of a list or isn't active in any list. Takes one request per 100 contacts, so in a large account, copy the opt-outs into a table every night.",
	fields: [
		...inLists(
			'The lists to read. With One List, contacts who only opted out of other lists are left out.',
			'all',
		),
		...listing,
		options(includeUnreadable),
	],
	run: async (services, { options: { includeUnreadable: includesUnreadable }, ...input }) => {
		const id = listIdOf(input);
		const lists = id === '0' ? await readLists(services) : [unreadList(id)];
		await readMembers(services, lists);
		const phones = await loadPhones();
		const yieldIfDue = createYielder(services.clock);
		const found = await findOptedOut(lists, { phones, yieldIfDue });
		const wanted = { includesUnreadable, limit: readLimit(input) };
		for (const hint of describeUnread(lists, found, wanted)) services.hint(hint);
		return toRecords(found, wanted);
	},
});

/**
 * Failures that concern a single contact. One contact who isn't in any list, or has already opted out, must not prevent
 * the other contacts' opt-outs.
 */
const ownFailures = ['not_found', 'opted_out', 'contact_deleted', 'invalid_number'] as const;

export const optOut = defineOperation({
	value: 'optOut',
	name: 'Opt Out',
	action: 'Opt out contact',
	description: 'Opt a contact out of one list or all lists. Only the contact can opt back in.',
	fields: [contactOfList, ...inLists('The lists to opt the contact out of')],
	// If the contact was in none of the lists, the response has no `list_ids`, so it counts as unreadable. That
	// concerns only this contact.
	continueAfter: [...ownFailures, 'unreadable_answer'],
	run: async ({ call, clock }, { contact: msisdn, ...chosen }) =>
		await contactMutex(clock, msisdn, async () => {
			const answer = await call(optOutContact, { list_id: listIdOf(chosen), msisdn });
			return { msisdn, list_ids: answer.list_ids };
		}),
});

export const contact: Resource = {
	value: 'contact',
	name: 'Contact',
	description: 'People in your contact lists, including those who opted out',
	connection: 'basic',
	operations: [upsert, deleteContact, get, getOptedOut, optOut],
};
